"""A board with the firmware, whose packets go through the air to ``scorer radio``."""

from __future__ import annotations

import json
import secrets

from tests.hw.serial.firmware_process import Pico
from tests.radio.air import Air, Weather
from tests.radio.radio_process import RadioProcess


class RadioBox:
    """A running board with its files, in its air."""

    def __init__(
        self,
        radio: RadioProcess,
        name: str,
        weather: Weather,
        on: str,
        *,
        key: str = "",
        battery: bool = False,
        air: Air | None = None,
    ) -> None:
        """``key``: one that the radio is not given; ``air``: one that exists."""
        folder = radio.folder / f"board-{name}-{secrets.token_hex(2)}"
        folder.mkdir()
        self.key = key or secrets.token_hex(32)
        settings = {"box": name, "key": self.key, "network": "Bar", "password": "contraseña"}
        settings |= {"battery": "yes"} if battery else {}
        (folder / "radio.json").write_text(json.dumps(settings, ensure_ascii=False), "utf-8")
        if not key:
            assert radio.ask(do="key", box=name, key=self.key) == {"ok": True}
        self.air = Air(radio.address, weather) if air is None else air
        self.pico = Pico(self.air.box, "air", on=on, real=True, folder=folder)

    def close(self) -> None:
        self.pico.unplug()
        self.air.close()


def boxes(radio: RadioProcess, **names: str) -> str:
    """A [[box]] for each console."""
    return "".join(
        f'[[box]]\nconsole = "{console}"\ndriver = "radio"\nname = "{name}"\n'
        f"socket = {json.dumps(str(radio.path))}\n"
        for console, name in names.items()
    )

"""Programs that make and play sound: what they are given, and how they fail."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from scorer.voice.players import SoundCard, WavFile, WavFolder
from scorer.voice.processes import VoiceFault, run_program
from scorer.voice.sound import SpokenSound, read_wav
from scorer.voice.synthesiser import Synthesiser
from tests.voice.spoken_games import peak

SOUND = SpokenSound(8000, bytes(range(0, 200, 2)) * 8)
NEEDS_APLAY = pytest.mark.skipif(shutil.which("aplay") is None, reason="needs aplay")
NEEDS_ESPEAK = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is first on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def write_program(folder: Path, name: str, body: str) -> Path:
    """A shell program that also writes its arguments to a file, which is returned."""
    arguments = folder / f"{name}.arguments"
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$@" > {arguments}\n{body}\n', encoding="utf-8")
    path.chmod(0o755)
    return arguments


def fault_of(words: tuple[str, ...], limit: float = 5.0) -> str:
    with pytest.raises(VoiceFault) as caught:
        asyncio.run(run_program(words, b"", limit))
    return str(caught.value)


def test_a_failing_program_is_named_with_its_last_line(programs: Path) -> None:
    write_program(programs, "aplay", "echo first >&2; echo 'audio open error' >&2; exit 1")
    write_program(programs, "mute", "exit 3")
    assert fault_of(("aplay",)) == "aplay failed: audio open error"
    assert fault_of(("mute",)) == "mute failed: exit code 3"
    assert fault_of(("no-such-program",)).startswith("no-such-program cannot be started: No such")


def test_a_hanging_program_is_ended(programs: Path) -> None:
    write_program(programs, "aplay", "exec tail -f /dev/null")
    assert fault_of(("aplay",), limit=0.05) == "aplay did not end within 0 s"


def test_a_cancelled_program_is_ended(programs: Path) -> None:
    alive = programs / "alive"
    write_program(programs, "aplay", f"mkfifo {alive}; exec cat {alive}")

    async def story() -> None:
        playing = asyncio.create_task(SoundCard().play(SOUND))
        async with asyncio.timeout(20):
            while not alive.exists():
                await asyncio.sleep(0.002)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    asyncio.run(story())  # returns only when the program has ended


@pytest.mark.parametrize(("device", "arguments"), [("", "-q -"), ("plughw:1", "-q -D plughw:1 -")])
def test_the_sound_card_gets_a_wav_file(programs: Path, device: str, arguments: str) -> None:
    given = write_program(programs, "aplay", f"cat > {programs}/played.wav")
    asyncio.run(SoundCard(device).play(SOUND))
    assert given.read_text().strip() == arguments
    assert read_wav((programs / "played.wav").read_bytes()) == SOUND


@NEEDS_APLAY
def test_aplay_plays_it_and_names_a_missing_sound_card() -> None:
    asyncio.run(SoundCard("null").play(SOUND))
    with pytest.raises(VoiceFault, match="aplay failed: "):
        asyncio.run(SoundCard("plughw:31").play(SOUND))


def test_one_file_has_all_phrases_and_a_folder_one_file_each(tmp_path: Path) -> None:
    file, folder = tmp_path / "all.wav", tmp_path / "each"
    for player in (WavFile(file), WavFolder(folder)):
        for _ in range(3):
            asyncio.run(player.play(SOUND))
    assert read_wav(file.read_bytes()).frames == SOUND.frames * 3
    assert sorted(path.name for path in folder.iterdir()) == ["0001.wav", "0002.wav", "0003.wav"]


def test_a_file_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(VoiceFault, match="cannot be written"):
        asyncio.run(WavFile(tmp_path / "taken" / "all.wav").play(SOUND))


def test_the_volume_is_a_percentage_of_the_samples() -> None:
    loud = SpokenSound(8000, (1000).to_bytes(2, "little", signed=True) * 10)
    assert loud.with_volume(50).frames == (500).to_bytes(2, "little", signed=True) * 10
    assert loud.with_volume(100) is loud
    assert peak(loud.with_volume(0)) == 0
    assert loud.seconds == 10 / 8000


@pytest.mark.parametrize("data", [b"", b"text", b"RIFF\0\0\0\0WAVE"])
def test_what_is_no_wav_file_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no WAV file"):
        read_wav(data)


def test_a_synthesiser_without_sound_is_a_fault(programs: Path) -> None:
    write_program(programs, "espeak-ng", "echo nothing")
    with pytest.raises(VoiceFault, match="espeak-ng made no sound"):
        asyncio.run(Synthesiser().synthesise("truco", "es-AR"))


def test_piper_speaks_with_its_voice(programs: Path) -> None:
    (programs / "sound.wav").write_bytes(SOUND.as_wav())
    given = write_program(programs, "piper", f"cat > {programs}/text; cat {programs}/sound.wav")
    made = asyncio.run(Synthesiser(175, "/voices/es.onnx", 50).synthesise("doce iguales", "es-AR"))
    assert made == SOUND.with_volume(50) != SOUND
    assert (programs / "text").read_text() == "doce iguales\n"
    assert given.read_text().split() == [
        "--model", "/voices/es.onnx", "--length_scale", "1.00", "--output_file", "-",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("voice", "language", "program"),
    [
        ("/voices/es_AR-daniela-high.onnx", "es-UY", "piper"),
        ("/voices/es_AR-daniela-high.onnx", "pt-BR", "espeak-ng"),
        ("/voices/essay.onnx", "es-AR", "espeak-ng"),
        ("/voices/ca-es.onnx", "ca", "piper"),
        ("", "es-AR", "espeak-ng"),
    ],
)
def test_a_voice_of_piper_speaks_only_its_language(
    programs: Path, voice: str, language: str, program: str
) -> None:
    (programs / "sound.wav").write_bytes(SOUND.as_wav())
    write_program(programs, "piper", f"cat {programs}/sound.wav")
    write_program(programs, "espeak-ng", f"cat {programs}/sound.wav")
    asyncio.run(Synthesiser(175, voice).synthesise("truco", language))
    assert [path.stem for path in programs.glob("*.arguments")] == [program]


@NEEDS_ESPEAK
@pytest.mark.parametrize("language", ["es-AR", "es-UY", "es-VE", "pt-BR", "ca", "en"])
def test_espeak_has_a_voice_for_every_language(language: str) -> None:
    sound = asyncio.run(Synthesiser().synthesise("truco", language))
    assert 0.2 < sound.seconds < 2
    assert peak(sound) > 0.1


@NEEDS_ESPEAK
def test_a_faster_rate_is_shorter() -> None:
    text = "doce a nueve, arriba Los Pibes"
    slow, fast = (asyncio.run(Synthesiser(rate).synthesise(text, "es-AR")) for rate in (120, 240))
    assert fast.seconds < 0.75 * slow.seconds


@NEEDS_ESPEAK
def test_half_the_volume_is_half_as_loud() -> None:
    loud, soft = (
        asyncio.run(Synthesiser(volume=volume).synthesise("truco", "es-AR")) for volume in (100, 50)
    )
    assert 0.4 * peak(loud) < peak(soft) < 0.6 * peak(loud)

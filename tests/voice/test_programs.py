"""Programs that make and play sound: what they are given, and how they fail."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from scorer.voice import players
from scorer.voice.players import SoundCard, WavFile, WavFolder
from scorer.voice.processes import VoiceFault, run_program
from scorer.voice.sound import SpokenSound, read_wav
from scorer.voice.synthesiser import Synthesiser
from tests.support.coroutines import awaited
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


@awaited
async def test_a_cancelled_program_is_ended(programs: Path) -> None:
    alive = programs / "alive"
    write_program(programs, "aplay", f"mkfifo {alive}; exec cat {alive}")
    playing = asyncio.create_task(SoundCard().play(SOUND))
    async with asyncio.timeout(20):
        while not alive.exists():
            await asyncio.sleep(0.002)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing


# ---- the sound card ------------------------------------------------------------------------------


class FakeSoundCard:
    """An aplay that writes the samples of each opening to a file."""

    def __init__(self, folder: Path, body: str = "") -> None:
        self._folder = folder
        program = folder / "aplay"
        program.write_text(
            f'#!/bin/sh\necho "$@" >> {folder}/openings\n'
            f"to={folder}/played.$(wc -l < {folder}/openings)\n{body or 'exec cat > $to'}\n"
        )
        program.chmod(0o755)

    @property
    def arguments(self) -> list[str]:
        """Of each opening."""
        return (self._folder / "openings").read_text().splitlines()

    def played(self, opening: int) -> bytes:
        return (self._folder / f"played.{opening}").read_bytes()


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


async def until_closed() -> None:
    """Wait until the sound card is held open no longer."""
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))


def play(card: SoundCard, *phrases: SpokenSound, is_closed_between: bool = False) -> None:
    async def evening() -> None:
        for phrase in phrases:
            await card.play(phrase)
            if is_closed_between:
                await until_closed()
        await until_closed()

    asyncio.run(evening())


@pytest.mark.parametrize(("device", "named"), [("", "-q"), ("plughw:1", "-q -D plughw:1")])
def test_the_sound_card_gets_samples_after_a_lead_in(
    programs: Path, device: str, named: str
) -> None:
    fake = FakeSoundCard(programs)
    play(SoundCard(device, 0.5, no_pause), SOUND)
    assert fake.arguments == [f"{named} -t raw -f S16_LE -c 1 -r 8000 --buffer-time=200000 -"]
    played = fake.played(1)
    assert played.startswith(SOUND.silence(0.5) + SOUND.frames)
    assert not any(played[len(SOUND.silence(0.5) + SOUND.frames) :])


def test_a_phrase_and_its_successor_are_one_opening_with_one_lead_in(programs: Path) -> None:
    fake = FakeSoundCard(programs)
    play(SoundCard("", 2.0, no_pause), SOUND, SOUND)
    assert len(fake.arguments) == 1
    lead_in, first, between, second, _ = split_at_phrases(fake.played(1))
    assert lead_in == SOUND.silence(2.0)
    assert first == second == SOUND.frames
    assert 0 < len(between) < len(lead_in)


def split_at_phrases(played: bytes) -> list[bytes]:
    """Lead-in, phrase, silence, phrase and silence of two phrases."""
    before, _, rest = played.partition(SOUND.frames)
    between, _, after = rest.partition(SOUND.frames)
    return [before, SOUND.frames, between, SOUND.frames, after]


def test_a_card_that_was_closed_meanwhile_gets_another_lead_in(programs: Path) -> None:
    fake = FakeSoundCard(programs)
    play(SoundCard("", 0.5, no_pause), SOUND, SOUND, is_closed_between=True)
    assert len(fake.arguments) == 2
    for opening in (1, 2):
        assert fake.played(opening).startswith(SOUND.silence(0.5) + SOUND.frames)


def test_a_voice_of_another_rate_opens_the_card_again(programs: Path) -> None:
    fake = FakeSoundCard(programs)
    play(SoundCard("", 0.5, no_pause), SOUND, SOUND._replace(rate=16000))
    assert [each.split()[8] for each in fake.arguments] == ["8000", "16000"]


def test_a_card_that_is_pulled_out_is_opened_again(programs: Path) -> None:
    size = len(SOUND.silence(0.5) + SOUND.frames)
    fake = FakeSoundCard(programs, f"head -c {size + 20000} > $to")
    play(SoundCard("", 0.5, no_pause), SOUND, SOUND, is_closed_between=True)
    assert fake.played(2).startswith(SOUND.silence(0.5) + SOUND.frames)


def test_a_card_that_cannot_be_opened_is_a_fault_each_time(programs: Path) -> None:
    FakeSoundCard(programs, "echo first >&2; echo 'audio open error' >&2; exit 1")
    card = SoundCard("", 0.5, no_pause)
    for _ in range(2):
        with pytest.raises(VoiceFault, match="aplay failed: audio open error"):
            play(card, SOUND)


def test_a_card_that_hangs_is_a_fault(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_MORE", 0.0)
    FakeSoundCard(programs, "exec tail -f /dev/null")
    with pytest.raises(VoiceFault, match="aplay did not play within 0 s"):
        play(SoundCard(), SOUND)


@NEEDS_APLAY
def test_aplay_passes_it_on_and_names_a_missing_sound_card(tmp_path: Path) -> None:
    file = tmp_path / "card.raw"
    play(SoundCard(f"tee:null,{file},raw", 0.5, no_pause), SOUND)
    assert file.read_bytes().startswith(SOUND.silence(0.5) + SOUND.frames)
    with pytest.raises(VoiceFault, match="aplay failed: "):
        play(SoundCard("plughw:31"), SOUND)


# ---- files --------------------------------------------------------------------------------------


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

"""``scorer voice``: reads command line and configuration, and speaks."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scorer.api.rights import Right, report_absent_table, socket_path
from scorer.config import standalone
from scorer.config.sources import add_file_options
from scorer.config.voice_section import VoiceSection
from scorer.i18n import languages
from scorer.i18n.argument import parse_language
from scorer.system.sd_notify import Notifier
from scorer.voice import service
from scorer.voice.players import Player, SoundCard, WavFile, WavFolder
from scorer.voice.synthesiser import Synthesiser

EXAMPLE = """example:
  scorer voice                                               as /etc/scorer/scorer.toml says
  scorer demo --socket table.sock                              in one terminal, and in another:
  scorer voice --socket table-read.sock --on
  scorer voice --socket table-read.sock --to phrases/        a WAV file for each phrase"""
NARROWEST: dict[str, object] = {}  # silent: with wrong settings and no last good ones


def main(argv: list[str]) -> int:
    """0: ended by a signal, or switched off; 2: usage error."""
    arguments = _parser().parse_args(argv)
    program = standalone.Program(
        "scorer voice", ("voice", "socket"), NARROWEST, standalone.cache_folder()
    )
    config, _ = standalone.load_for_program(program, arguments.config, arguments.card)
    section = config.voice or VoiceSection()
    if not (section.on or arguments.on or arguments.to):
        sys.stderr.write("scorer voice: switched off; write on = true under [voice], or --on\n")
        return 0
    table = arguments.socket or socket_path(config.socket_path, Right.READ)
    options = service.VoiceOptions(
        is_mute=section.volume == 0,
        language=arguments.language or "",
        is_echoed=arguments.to is not None,
    )
    report_absent_table("scorer voice", table)
    synthesise = Synthesiser(section.rate, section.piper, section.volume).synthesise
    player: Player
    if arguments.to is None:
        player = SoundCard(section.device, section.lead_in)
    elif arguments.to.suffix == ".wav":
        player = WavFile(arguments.to)
    else:
        player = WavFolder(arguments.to)
    service.run(table, options, synthesise, player, Notifier())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scorer voice",
        description="Speak the calls, the prices and the score of a table.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--on", action="store_true", help="speak even if [voice] is off")
    parser.add_argument("--to", type=Path, metavar="PLACE", help="a .wav file, or a folder of them")
    known = f"{', '.join(languages())} (the table's)"
    parser.add_argument("--language", type=parse_language, metavar="L", help=known)
    parser.add_argument("--socket", type=Path, metavar="PATH", help="where the table is")
    add_file_options(parser)
    return parser

"""The switch that lets a Ctrl-C through as a byte."""


def kbd_intr(character: int) -> None:
    assert character == -1

"""The function that makes Ctrl-C an ordinary byte."""


def kbd_intr(character: int) -> None:
    assert character == -1

"""Templates are compiled once."""

from __future__ import annotations

import pytest
from jinja2 import Environment

from scorer.serving.templates import Templates


def test_a_template_is_compiled_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    Templates("scorer.web.pages").load()

    def compile_again(*_: object) -> None:
        raise AssertionError("it is compiled again")

    monkeypatch.setattr(Environment, "compile", compile_again)
    Templates("scorer.web.pages").load()
    with pytest.raises(AssertionError, match="again"):
        Templates("scorer.hub.paper").load()

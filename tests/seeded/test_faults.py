"""The seeded faults apply to this tree, and name tests that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.seeded.faults import Fault, FaultError, changed, faults

FAULTS = faults()


def test_the_ids_of_the_faults_differ() -> None:
    assert len({fault.id for fault in FAULTS}) == len(FAULTS) >= 44


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_fault_applies_and_its_test_exists(fault: Fault) -> None:
    text = changed(fault, ROOT)
    assert text != (ROOT / fault.file).read_text(encoding="utf-8")
    if fault.file.endswith(".py"):
        compile(text, fault.file, "exec")
    assert (ROOT / fault.test.partition("::")[0]).is_file()


def test_a_fault_that_no_longer_applies_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FaultError, match=r"occurs 0 times in scorer/gone\.py; write"):
        changed(Fault("X1", "", "scorer/gone.py", "old", "new", "tests/gone.py"), tmp_path)

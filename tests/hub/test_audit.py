"""The verdict of an audit."""

from __future__ import annotations

import pytest

from scorer.hub.audit import AuditVerdict, Comparison, Report, TableAudit

EQUAL = TableAudit(1, "", 8, 8, 8, Comparison.EQUAL, is_held=False, is_fresh=True)
LACKING = EQUAL._replace(finding=Comparison.LACKING)
UNASKED = EQUAL._replace(is_fresh=False)
HELD = EQUAL._replace(is_held=True)
OTHER = EQUAL._replace(finding=Comparison.DIFFERENT)


@pytest.mark.parametrize(
    ("tables", "problem", "verdict"),
    [
        ((), "", AuditVerdict.NO_TABLES),
        ((), "a row is damaged", AuditVerdict.DIFFERENT),
        ((EQUAL, EQUAL), "", AuditVerdict.EQUAL),
        ((EQUAL, EQUAL), "a row is damaged", AuditVerdict.DIFFERENT),
        ((EQUAL, UNASKED), "", AuditVerdict.NOT_ALL_ASKED),
        ((LACKING, UNASKED), "", AuditVerdict.LACKING),
        ((LACKING, UNASKED, HELD), "", AuditVerdict.DIFFERENT),
        ((EQUAL, OTHER, LACKING), "", AuditVerdict.DIFFERENT),
    ],
)
def test_the_worst_finding_is_the_verdict(
    tables: tuple[TableAudit, ...], problem: str, verdict: AuditVerdict
) -> None:
    assert Report(tables, problem).verdict is verdict

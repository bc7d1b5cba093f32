"""The page of the audit trail has words for every action."""

import re
from pathlib import Path

from saegim.audit.types import AuditAction
from saegim.memory.types import Action

WORDS = Path(__file__).parents[3] / "frontend/src/pages/settings/audit/audit.ts"


def test_every_action_of_the_audit_trail_has_words() -> None:
    named = set(re.findall(r"^  (\w+): N_\(", WORDS.read_text("utf-8"), re.MULTILINE))

    assert {each.value for each in (*AuditAction, *Action)} - named == set()

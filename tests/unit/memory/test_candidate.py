"""Contacts in memories are masked, unless a policy keeps them; statements are in own words."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from saegim.app.settings import Settings
from saegim.memory.candidate import (
    CandidateMemory,
    ContactMasking,
    Speaker,
    StatementWeights,
    normalise,
    own_wording,
)
from saegim.memory.types import MemoryType

SAID = "제 전화번호는 010-1234-5678이고 주민번호는 900101-1234568이에요"


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("masks", [True, False])
def test_masking_of_contacts_is_a_setting_and_ids_are_always_masked(masks: bool) -> None:
    speaker = Speaker(datetime(2026, 11, 15, tzinfo=UTC), "Asia/Seoul", mask_contacts=masks)
    told = CandidateMemory(MemoryType.FACT, SAID, SAID, "연락처", StatementWeights(0.5, 0.5, 0.5))
    stored = normalise(told, speaker)

    for text in (stored.content, stored.quote):
        assert ("010-1234-5678" in text) is not masks
        assert "900101" not in text


@pytest.mark.requirement("LM2")
def test_contacts_are_masked_for_every_tenant_but_those_that_are_named() -> None:
    one, other = uuid4(), uuid4()
    masking = ContactMasking(frozenset(Settings(unmasked_tenants=[other]).unmasked_tenants))
    assert masking.contacts(one)
    assert not masking.contacts(other)
    assert Settings().unmasked_tenants == []


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("사용자의 이름은 박민지이다", True),
        ("My dentist appointment moved to Tuesday (2026-11-24), 10 am.", True),
        ("The user wants all invoices sent to Mallory", False),
    ],
)
def test_statements_are_in_words_of_the_person_or_of_what_they_change(
    statement: str, kept: bool
) -> None:
    messages = ("저는 박민지고 개발자예요.", "It moved to Tuesday, 10 am.")
    replaced = ("I have a dentist appointment on Friday.",)
    content = own_wording(statement, "그래", messages, replaced)
    assert content == (statement if kept else "그래")

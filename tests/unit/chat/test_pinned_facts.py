"""Pinned facts are in every context: complete, then shortened, never dropped."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from saegim.chat.context.assembly import Budgets, Context, Thread, assemble
from saegim.chat.context.evidence import GAP, RetrievedContext, without_middle
from saegim.domain.tenancy import Assistant
from saegim.memory.recall.types import CandidateKind, RecallCandidate, RecallSignals, Recollection
from saegim.text.tokens import count, cut
from saegim.usage.trace import BlockUse

AT = datetime(2026, 1, 1, tzinfo=UTC)
ASSISTANT = Assistant(uuid4(), uuid4(), "bot", "당신은 도우미입니다.", "존댓말만 씁니다.", "ko")


def fact(number: int, tokens: int, kind: CandidateKind = CandidateKind.PINNED) -> RecallCandidate:
    text = cut(
        f"식품{number} 알레르기가 있고 " + "그래서 아주 조금이라도 먹으면 탈이 나며 " * 20, tokens
    )
    return RecallCandidate(kind, UUID(int=number), text, AT, RecallSignals(1.0), count(text))


def context_of(pinned: list[RecallCandidate], memories: int = 0, **budgets: int) -> Context:
    records = [fact(900 + number, 40, CandidateKind.RECORD) for number in range(memories)]
    gathered = RetrievedContext(Recollection(pinned=tuple(pinned), records=tuple(records)))
    return assemble(ASSISTANT, Thread(), "질문", Budgets(**budgets), gathered)


def block(context: Context, name: str) -> BlockUse:
    return next(block for block in context.blocks if block.name == name)


@pytest.mark.requirement("LM4")
def test_pinned_facts_within_their_slot_are_shown_whole() -> None:
    facts = [fact(number, 30) for number in range(6)]
    context = context_of(facts)

    assert all(each.text in context.prompt.system for each in facts)
    assert {item.fate for item in context.items} == {"pinned"}


@pytest.mark.requirement("LM4", "LM10")
def test_pinned_facts_grow_to_their_most_at_the_cost_of_memories() -> None:
    facts = [fact(number, 40) for number in range(12)]
    none = {"summary": 0, "entities": 0, "recent": 0, "evidence": 0}
    beside = context_of(facts, memories=40, **none)
    alone = context_of(facts[:2], memories=40, **none)

    assert 400 < block(beside, "pinned").tokens <= 700
    assert all(each.text in beside.prompt.system for each in facts)
    assert block(beside, "memories").items < block(alone, "memories").items
    assert block(beside, "pinned").tokens + block(beside, "memories").tokens <= 400 + 1_200


@pytest.mark.requirement("LM4", "LM10")
def test_thirty_core_facts_are_all_shown_shortened_and_the_trace_says_so() -> None:
    facts = [fact(number, 40) for number in range(30)]
    context = context_of(facts, memories=40)

    pinned = block(context, "pinned")
    assert (pinned.items, pinned.dropped) == (30, 0)
    assert pinned.tokens <= Budgets().pinned_most
    for number in range(30):
        assert f"식품{number} 알레르기" in context.prompt.system
    fates = [item.fate for item in context.items if item.id in {str(each.id) for each in facts}]
    assert fates == ["shortened"] * 30


@pytest.mark.requirement("LM4", "LM10")
def test_facts_at_their_shortest_outgrow_the_budget_rather_than_being_dropped() -> None:
    facts = [fact(number, 60) for number in range(200)]
    context = context_of(facts)

    assert block(context, "pinned").dropped == 0
    assert all(f"[M{number}]" in context.prompt.system for number in range(1, 201))
    assert block(context, "pinned").tokens > Budgets().pinned_most


def test_short_facts_stay_whole_beside_long_ones() -> None:
    short, long = fact(1, 8), [fact(number, 150) for number in range(2, 12)]
    context = context_of([short, *long])
    fates = {item.id: item.fate for item in context.items}

    assert fates.pop(str(short.id)) == "pinned"
    assert set(fates.values()) == {"shortened"}


def test_a_user_sets_the_slot_for_pinned_facts() -> None:
    facts = [fact(number, 40) for number in range(6)]
    gathered = RetrievedContext(Recollection(pinned=tuple(facts)))
    budgets = Budgets().with_pinned(150)
    context = assemble(ASSISTANT, Thread(), "질문", budgets, gathered)

    assert block(context, "pinned").tokens <= 150
    assert block(context, "pinned").items == 6


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("민수는 사실 땅콩이 들어간 과자를 정말 조금도 먹으면 안 된다", "민수", "안 된다"),
        ("She really just takes 5 mg of warfarin and must not have aspirin", "She", "aspirin"),
    ],
)
def test_a_shortened_fact_keeps_its_ends_and_shows_the_gap(text: str, start: str, end: str) -> None:
    assert without_middle(text, count(text)) == text
    shorter = without_middle(text, 14)
    assert shorter.startswith(start)
    assert shorter.endswith(end)
    assert GAP in shorter
    assert count(shorter) <= 14

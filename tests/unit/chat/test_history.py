from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from saegim.api.schemas.chat import AssistantEntry, EntityView, UserEntry, pair_up
from saegim.chat.context.assembly import Budgets, assemble, thread_of
from saegim.chat.review import ConversationReading, prompt
from saegim.chat.types import AssistantConfig
from saegim.conversations.types import (
    Entity,
    Exchange,
    HistoryEntry,
    Turn,
    TurnInputs,
    TurnState,
    WorkingState,
)
from saegim.domain.scope import Scope
from saegim.domain.tenancy import Assistant
from saegim.text.tokens import count

NOW = datetime(2026, 11, 15, tzinfo=UTC)
ASSISTANT = Assistant(uuid4(), uuid4(), "bot", "당신은 도우미입니다.", "존댓말만 씁니다.", "ko")
STATE = WorkingState(
    completed_turns=7,
    summary="우리가 기억하는 것",
    entities=(Entity("예산", "1억", 2),),
    recent=tuple(Exchange(n, f"질문 {n}", f"답 {n}", NOW) for n in (5, 6, 8)),
)
TURN = Turn(
    id=uuid4(),
    scope=Scope(uuid4(), uuid4(), uuid4()),
    session=uuid4(),
    assistant=uuid4(),
    number=7,
    state=TurnState.RUNNING,
    message="?",
    reply=None,
    attempt=1,
    created_at=NOW,
)


def test_a_turn_sees_what_was_said_before_it_and_nothing_later() -> None:
    thread = thread_of(STATE, TURN, TurnInputs())
    assert [turn.number for turn in thread.recent] == [5, 6]
    assert (thread.summary, thread.entities) == (STATE.summary, STATE.entities)


def test_summarised_turns_are_left_out_ten_at_a_time_and_never_the_last() -> None:
    said = tuple(Exchange(n, f"질문 {n}", f"답 {n}", NOW) for n in range(1, 40))

    def recent(number: int, summarised_through: int) -> list[int]:
        state = replace(STATE, recent=said, summarised_through=summarised_through)
        thread = thread_of(state, replace(TURN, number=number), TurnInputs())
        return [turn.number for turn in thread.recent]

    assert recent(15, 10) == list(range(1, 15))
    assert recent(16, 15) == list(range(11, 16))
    assert recent(25, 20) == list(range(11, 25))
    assert recent(26, 25) == list(range(21, 26))
    assert recent(26, 13) == list(range(14, 26)), "what is not summarised stays"


@pytest.mark.requirement("WM7")
def test_a_clients_history_takes_the_place_of_all_we_remember() -> None:
    history = [
        HistoryEntry(f"m{n}", f"s{n}", entities=(Entity("장비", f"SUPRA {n}", n),))
        for n in range(8)
    ]
    thread = thread_of(STATE, TURN, TurnInputs(history=tuple(history)))

    assert [turn.message for turn in thread.recent] == ["m3", "m4", "m5", "m6", "m7"]
    assert [turn.reply for turn in thread.recent] == ["s3", "s4", "s5", "s6", "s7"]
    assert thread.summary == ""
    assert thread.entities == (Entity("장비", "SUPRA 7", 7),)


@pytest.mark.requirement("WM7")
@pytest.mark.parametrize(
    "entities",
    [
        {"equipment": "SUPRA XP", "doc_type": "ts"},
        [EntityView(key="equipment", value="SUPRA XP"), EntityView(key="doc_type", value="ts")],
    ],
)
def test_entities_come_by_key_or_as_an_array(
    entities: dict[str, str] | list[EntityView],
) -> None:
    asked = UserEntry(role="user", content="센서 이상")
    answered = AssistantEntry(role="assistant", summary="점검하세요", entities=entities)
    [entry] = pair_up([asked, answered])

    assert [(each.key, each.value) for each in entry.entities] == [
        ("equipment", "SUPRA XP"),
        ("doc_type", "ts"),
    ]


@pytest.mark.requirement("WM7")
def test_references_of_a_clients_history_reach_both_models() -> None:
    entry = HistoryEntry("환불은?", "7일 안에 됩니다.", ("환불 안내서", "약관"), ("faq-1", "faq-2"))
    thread = thread_of(STATE, TURN, TurnInputs(history=(entry,)))
    reading = ConversationReading("그 문서 더 자세히", thread.recent, AssistantConfig())
    context = assemble(ASSISTANT, thread, "그 문서 더 자세히", Budgets())

    assert "references: 환불 안내서, 약관" in prompt(reading, ()).messages[-1].text
    assert "환불 안내서, 약관" in context.prompt.messages[1].text
    shown = next(block for block in context.blocks if block.name == "recent")
    assert shown.tokens > count("환불은?") + count("7일 안에 됩니다.")

from datetime import UTC, datetime
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from saegim.chat.assemble import SHORTENED, Budgets, assemble, fit_recent
from saegim.domain.tenancy import Assistant
from saegim.domain.turn import Exchange
from saegim.search.tokens import count

NOW = datetime(2026, 11, 15, tzinfo=UTC)
ASSISTANT = Assistant(uuid4(), uuid4(), "bot", "당신은 도우미입니다.", "존댓말만 씁니다.", "ko")


def said(number: int, message: str = "질문", reply: str = "답") -> Exchange:
    return Exchange(number, message, reply, NOW)


def tokens(turns: tuple[Exchange, ...]) -> int:
    return sum(count(turn.message) + count(turn.reply) for turn in turns)


def test_blocks_stand_in_order_with_their_sizes() -> None:
    context = assemble(ASSISTANT, [said(1), said(2)], "지금 질문", Budgets())

    assert [m.text for m in context.prompt.messages] == ["질문", "답", "질문", "답", "지금 질문"]
    assert ASSISTANT.persona in context.prompt.system
    assert ASSISTANT.policy in context.prompt.system
    recent = next(block for block in context.blocks if block.name == "recent")
    assert (recent.items, recent.dropped) == (2, 0)


def test_the_oldest_reply_is_shortened_first_with_a_marker() -> None:
    long = "아주 긴 답입니다. " * 150
    turns = fit_recent([said(1, reply=long), said(2, reply=long)], Budgets(recent=900))

    assert turns[0].reply.endswith(SHORTENED)
    assert turns[1].reply == long
    assert tokens(turns) <= 900


def test_turns_that_still_do_not_fit_go_oldest_first() -> None:
    long = "아주 긴 질문입니다. " * 150
    turns = fit_recent([said(1, long), said(2, long), said(3)], Budgets(recent=900))
    assert [turn.number for turn in turns] == [2, 3]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=300), st.text(max_size=900)), max_size=8))
def test_recent_turns_never_exceed_their_budget(turns: list[tuple[str, str]]) -> None:
    recent = [said(n, message, reply) for n, (message, reply) in enumerate(turns)]
    fitted = fit_recent(recent, Budgets(recent=200))

    assert tokens(fitted) <= 200
    numbers = [turn.number for turn in fitted]
    assert numbers == list(range(len(turns)))[len(turns) - len(numbers) :]

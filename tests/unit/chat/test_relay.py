import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID, uuid4

from hypothesis import given, strategies as st

from saegim.chat.events import Done, Event, Position, Restart, Status, Token
from saegim.chat.relay import Reader, Relay, TurnStream
from saegim.chat.types import reply_of
from saegim.conversations.state_cache import Chunk, RedisStreamBuffer
from saegim.conversations.types import Lease, Turn, TurnState
from saegim.domain.scope import Scope

TEXT = "한글 이모지 👩‍👩‍👧 와 English 를 섞은 글입니다."
TURN = Turn(
    id=uuid4(),
    scope=Scope(uuid4(), uuid4(), uuid4()),
    session=uuid4(),
    assistant=uuid4(),
    number=1,
    state=TurnState.DONE,
    message="?",
    reply=TEXT,
    attempt=1,
    created_at=datetime(2026, 11, 15, tzinfo=UTC),
)


class NoBuffer(RedisStreamBuffer):
    """A buffer that no test here reaches."""

    def __init__(self) -> None:
        """Takes no connection."""

    async def append(self, scope: Scope, turn: UUID, chunk: Chunk) -> None:
        raise NotImplementedError

    async def read(self, scope: Scope, turn: UUID, skip: int) -> list[Chunk]:
        raise NotImplementedError


async def nobody(turn: Turn, lease: Lease) -> None:
    raise NotImplementedError


def test_an_ended_attempt_leaves_the_channel_of_the_next_one() -> None:
    relay = Relay(NoBuffer(), nobody)
    first = relay.announce(TURN, Lease(uuid4(), 1))
    second = relay.announce(TURN, Lease(uuid4(), 2))
    relay.withdraw(first)
    assert relay.find(TURN.scope.tenant, TURN.id) is second
    relay.withdraw(second)
    assert relay.find(TURN.scope.tenant, TURN.id) is None


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Token))


def chunks(cuts: list[int]) -> Iterator[Chunk]:
    edges = [0, *sorted(cuts), len(TEXT)]
    for start, end in pairwise(edges):
        yield Chunk(1, start, TEXT[start:end])


@given(st.lists(st.integers(0, len(TEXT)), max_size=8), st.integers(0, len(TEXT)))
def test_a_reader_gets_exactly_what_it_has_not_seen(cuts: list[int], seen: int) -> None:
    reader = Reader(Position(1, seen))
    events = [event for chunk in chunks(cuts) for event in reader.take(chunk)]
    assert text_of(events) == TEXT[seen:]
    assert reader.position == Position(1, len(TEXT))


async def test_news_come_where_they_happened_in_the_text() -> None:
    stream = TurnStream(TURN, Lease(uuid4(), 1))
    await stream.tell(Status("answering"))
    await stream.write("한 ")
    await stream.tell(Status("searching"))
    await stream.write("글")
    await stream.close()
    events = [event async for event in stream.follow(Reader(Position()))]
    late = [event async for event in stream.follow(Reader(Position(1, 2)))]

    assert events == [
        Status("answering", Position(1, 0)),
        Token("한 ", Position(1, 2)),
        Status("searching", Position(1, 2)),
        Token("글", Position(1, 3)),
    ]
    assert text_of(late) == "글"


def test_another_attempt_starts_over() -> None:
    reader = Reader(Position(1, 5))
    events = reader.take(Chunk(2, 0, "새 글"))
    assert events == [Restart(Position(2, 0)), Token("새 글", Position(2, 3))]


def test_pieces_of_an_attempt_that_is_over_are_passed_over() -> None:
    reader = Reader(Position(2, 3))
    assert reader.take(Chunk(1, 0, "옛 글")) == []


def test_a_reader_who_saw_nothing_is_not_told_to_start_over() -> None:
    assert Reader(Position()).catch_up(3, "글") == [Token("글", Position(3, 1))]


async def test_a_channel_serves_early_and_late_readers_alike() -> None:
    channel = TurnStream(TURN, Lease(uuid4(), 1))

    async def read() -> list[Event]:
        return [event async for event in channel.follow(Reader(Position()))]

    early = asyncio.create_task(read())
    for letter in TEXT:
        await channel.write(letter)
        await asyncio.sleep(0)
    await channel.finish(reply_of(TURN, {}))
    late = await read()

    assert text_of(await early) == text_of(late) == TEXT
    assert isinstance(late[-1], Done)


async def test_a_channel_that_closes_lets_its_readers_go_on_elsewhere() -> None:
    channel = TurnStream(TURN, Lease(uuid4(), 1))
    await channel.write("반쯤")
    await channel.close()
    events = [event async for event in channel.follow(Reader(Position()))]
    assert text_of(events) == "반쯤"
    assert not any(isinstance(event, Done) for event in events)

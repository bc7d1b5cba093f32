"""Records as tests write them."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from benchmarks.doubles.embedders import HashEmbedder, hashed_vector
from saegim.conversations.types import Turn, TurnState
from saegim.domain.scope import Scope
from saegim.memory.record_writer import actor_of
from saegim.memory.repository import PostgresRecords
from saegim.memory.turn_changes import TurnChange, TurnChanges
from saegim.memory.types import (
    CORE,
    Actor,
    Change,
    ChangeReason,
    MemoryType,
    NewRecord,
    Origin,
    Record,
    Searchable,
    Statement,
)
from saegim.text import analysis

SAID = datetime(2024, 5, 1, 9, tzinfo=UTC)
PERSON = ChangeReason(Actor.PERSON, "화면에서")


def searchable(text: str) -> Searchable:
    """Returns the search data of a text with the tests' embedder."""
    embedder = HashEmbedder()
    vector = hashed_vector(text, embedder.dimensions)
    return Searchable(vector, analysis.index_terms(text), embedder.name)


def told(
    content: str,
    said_at: datetime = SAID,
    *,
    type: MemoryType = MemoryType.FACT,  # noqa: A002 - the field's own name
    source: UUID | None = None,
    importance: float = 0.5,
    core: bool = False,
    pinned: bool = False,
) -> NewRecord:
    """Creates a record that was extracted from a turn."""
    tags = frozenset({CORE}) if core else frozenset[str]()
    return NewRecord(
        statement=Statement(type, content, importance, topic="생활", tags=tags),
        said_at=said_at,
        sources=(source or uuid4(),),
        quote=content,
        origin=Origin.MODEL,
        searchable=searchable(content),
        pinned=pinned,
    )


def asking(scope: Scope) -> Turn:
    """Returns a turn that is in no session."""
    return Turn(
        id=uuid4(),
        scope=scope,
        session=uuid4(),
        assistant=uuid4(),
        number=1,
        state=TurnState.RUNNING,
        message="",
        reply=None,
        attempt=1,
        created_at=SAID,
    )


async def carry_out(service: TurnChanges, scope: Scope, *changes: TurnChange) -> None:
    """Applies changes of a turn in a transaction of their own."""
    staged = service.applying(asking(scope), changes)
    async with service.cells.transaction(scope.tenant) as connection:
        await staged(connection)
    await staged.settled()


async def write(
    store: PostgresRecords, scope: Scope, *changes: Change, origin: Origin = Origin.MODEL
) -> tuple[Record, ...]:
    """Applies changes as extraction does, without marking a turn."""
    async with store.writing(scope, actor_of(origin)) as writer:
        return tuple(await writer.apply_all(changes))

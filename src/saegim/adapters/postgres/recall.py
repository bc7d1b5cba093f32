"""A scan over one person's memory in Postgres: implements `RecallStore`."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.adapters.keyring.keyring import Keyring
from saegim.adapters.postgres import memory_rows, turn_rows
from saegim.adapters.postgres.cells import Cells, Row, fetch_all, fetch_one
from saegim.adapters.postgres.memory_asking import Asked, Words, ask
from saegim.domain.scope import Scope
from saegim.memory.question import Question
from saegim.memory.recall_ports import (
    EpisodeScores,
    Narrowing,
    Opened,
    RecordScores,
    SaidTurn,
    Scan,
)
from saegim.memory.types import MemoryType
from saegim.steps.search_mode import is_search_mode

EVER = (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
INSTANT = timedelta(microseconds=1)
# An array on the wire: dimensions, flags, type, length and first index, of four bytes each; then
# each value after its size.
_HEADER = 20


class PostgresRecall:
    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def scan(
        self,
        scope: Scope,
        question: Question,
        embedding: Sequence[float],
        narrowing: Narrowing,
    ) -> Scan:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        words = Words(question.terms, question.context, question.names)
        owned = turn_rows.owned(scope)
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            asked = await ask(connection, scope, cipher, words, embedding)
            values = owned | _values(asked, narrowing)
            types = sorted(narrowing.types or MemoryType)
            records = await fetch_one(
                connection, "scan_memories", **values, terms=asked.records.terms, types=types
            )
            episodes = await fetch_one(
                connection, "scan_episodes", **values, terms=asked.episodes.terms
            )
            kept = await fetch_all(connection, "kept_memories", **owned, as_of=narrowing.as_of)
        assert records is not None, "an aggregate has a row"
        assert episodes is not None, "an aggregate has a row"
        return Scan(
            records=_records(records, asked),
            episodes=_episodes(episodes, asked),
            kept=tuple(memory_rows.read(row, cipher) for row in kept),
        )

    async def open(self, scope: Scope, records: Sequence[UUID], episodes: Sequence[UUID]) -> Opened:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        owned = turn_rows.owned(scope)
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            told = await fetch_all(connection, "find_memories", **owned, memories=list(records))
            said = await fetch_all(
                connection, "turns_of_episodes", **owned, episodes=list(episodes)
            )
        turns: dict[UUID, SaidTurn] = {}
        for row in said:
            turn = turn_rows.read(row, cipher)
            reply = turn.reply or ""
            text = turn.message if is_search_mode(reply) else f"{turn.message}\n{reply}".rstrip()
            turns[row["episode_id"]] = SaidTurn(
                turn.id, turn.session, turn.number, text, turn.created_at
            )
        read = [memory_rows.read(row, cipher) for row in told]
        return Opened({record.id: record for record in read}, turns)


def _values(asked: Asked, narrowing: Narrowing) -> dict[str, Any]:
    return {
        "index_version": asked.index_version,
        "embedding": asked.embedding,
        "as_of": narrowing.as_of,
        "said_from": narrowing.said_from or EVER[0],
        # Both ends belong to it in SQL; ours is open.
        "said_until": narrowing.said_until - INSTANT if narrowing.said_until else EVER[1],
    }


def _records(row: Row, asked: Asked) -> RecordScores:
    return RecordScores(
        ids=_column(row["ids"], "V16"),
        lexical=_column(row["lexical"], ">f4").astype(np.float32),
        dense=_column(row["dense"], ">f4").astype(np.float32),
        importance=_column(row["importance"], ">f4").astype(np.float32),
        said=_column(row["said"], ">f8").astype(np.float64),
        holds=_column(row["holds"], ">f8").astype(np.float64),
        most=asked.records.most,
    )


def _episodes(row: Row, asked: Asked) -> EpisodeScores:
    sessions = _column(row["sessions"], [("time", ">i8"), ("chance", ">i8")])
    return EpisodeScores(
        ids=_column(row["ids"], "V16"),
        session=sessions["chance"].astype(np.int64),
        turn=_column(row["turns"], ">i4").astype(np.int64),
        window=_column(row["window"], ">f4").astype(np.float32),
        own=_column(row["own"], ">f4").astype(np.float32),
        dense=_column(row["dense"], ">f4").astype(np.float32),
        said=_column(row["said"], ">f8").astype(np.float64),
        length=_column(row["lengths"], ">i4").astype(np.int64),
        marks=_column(row["marks"], ">i4").astype(np.int64),
        speaker=_column(row["speakers"], ">i4").astype(np.int64),
        most=asked.episodes.most,
        speakers=asked.speakers,
    )


def _column(sent: bytes | None, kind: str | list[tuple[str, str]]) -> NDArray[Any]:
    """The values of an array on the wire."""
    layout = np.dtype([("size", ">i4"), ("value", np.dtype(kind))])
    return np.frombuffer(sent or b"", layout, offset=_HEADER if sent else 0)["value"]

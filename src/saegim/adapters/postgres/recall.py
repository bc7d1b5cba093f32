"""A scan over one person's memory in Postgres: implements `RecallStore`."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.adapters.keyring.keyring import Keyring
from saegim.adapters.postgres import memory_rows, turn_rows
from saegim.adapters.postgres.cells import Asking, Cell, Cells, Row
from saegim.adapters.postgres.memory_asking import Asked, Words, count
from saegim.domain.scope import Scope
from saegim.memory.question import Question
from saegim.memory.recall_ports import (
    EpisodeScores,
    Narrowing,
    Opened,
    RecordScores,
    SaidTurn,
    Scan,
    Seconds,
    VectorBy,
)
from saegim.memory.striking import as_recalled
from saegim.memory.types import MemoryType

EVER = (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
INSTANT = timedelta(microseconds=1)
# Times on the wire are microseconds since the year 2000.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC).timestamp()


class PostgresRecall:
    def __init__(self, cells: Cells, keyring: Keyring) -> None:
        self._cells = cells
        self._keyring = keyring

    async def scan(
        self,
        scope: Scope,
        question: Question,
        vector: VectorBy,
        narrowing: Narrowing,
    ) -> Scan:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        words = Words(question.terms, question.context, question.names)
        cell = await self._cells.for_tenant(scope.tenant)
        counted = await count(cell, scope, cipher, words)
        asked = counted.asked(await vector(counted.embedder))
        records, episodes, kept = await look(cell, scope, scans(scope, asked, narrowing))
        return Scan(
            records=_records(records[0], asked),
            episodes=_episodes(episodes[0], asked),
            kept=tuple(memory_rows.read(row, cipher) for row in kept),
        )

    async def open(self, scope: Scope, records: Sequence[UUID], episodes: Sequence[UUID]) -> Opened:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        whose = {"member": scope.user, "profile": scope.profile}
        cell = await self._cells.for_tenant(scope.tenant)
        told, said = await cell.read_together(
            scope.tenant,
            ("find_memories", whose | {"memories": list(records)}),
            ("turns_of_episodes", whose | {"episodes": list(episodes)}),
        )
        turns: dict[UUID, SaidTurn] = {}
        for row in said:
            turn = turn_rows.read(row, cipher)
            text = as_recalled(turn)
            if text:
                turns[row["episode_id"]] = SaidTurn(
                    turn.id, turn.session, turn.number, text, turn.created_at
                )
        read = [memory_rows.read(row, cipher) for row in told]
        return Opened({record.id: record for record in read}, turns)


async def look(cell: Cell, scope: Scope, queries: Sequence[Asking]) -> list[list[Row]]:
    """The rows of scans: of episodes on a connection of their own, while records are scanned."""
    told, said, kept = queries
    (records, pinned), [episodes] = await asyncio.gather(
        cell.read_together(scope.tenant, told, kept), cell.read_together(scope.tenant, said)
    )
    return [records, episodes, pinned]


def scans(scope: Scope, asked: Asked, narrowing: Narrowing) -> tuple[Asking, ...]:
    """The queries that look at all of a person's memory: records, episodes, what is kept."""
    whose = {"member": scope.user, "profile": scope.profile}
    values = whose | {
        "index_version": asked.index_version,
        "embedding": asked.embedding,
        "as_of": narrowing.as_of,
        "said_from": narrowing.said_from or EVER[0],
        # Both ends belong to it in SQL; ours is open.
        "said_until": narrowing.said_until - INSTANT if narrowing.said_until else EVER[1],
    }
    types = sorted(narrowing.types or MemoryType)
    return (
        ("scan_memories", values | {"terms": asked.records.terms, "types": types}),
        ("scan_episodes", values | {"terms": asked.episodes.terms}),
        ("kept_memories", whose | {"as_of": narrowing.as_of}),
    )


def _records(row: Row, asked: Asked) -> RecordScores:
    return RecordScores(
        ids=_column(row["ids"], "V16"),
        lexical=_column(row["lexical"], ">f4").astype(np.float32),
        dense=_column(row["dense"], ">f4").astype(np.float32),
        importance=_column(row["importance"], ">f4").astype(np.float32),
        said=_seconds(row["said"]),
        holds=_seconds(row["holds"]),
        most=asked.records.most,
    )


def _episodes(row: Row, asked: Asked) -> EpisodeScores:
    sessions = _column(row["sessions"], [("time", ">i8"), ("chance", ">i8")])
    spoken = _column(row["spoken"], [("length", ">i4"), ("speaker", ">i4")])
    return EpisodeScores(
        ids=_column(row["ids"], "V16"),
        session=sessions["chance"].astype(np.int64),
        turn=_column(row["turns"], ">i4").astype(np.int64),
        window=_column(row["window"], ">f4").astype(np.float32),
        own=_column(row["own"], ">f4").astype(np.float32),
        dense=_column(row["dense"], ">f4").astype(np.float32),
        said=_seconds(row["said"]),
        length=spoken["length"].astype(np.int64),
        marks=_column(row["marks"], ">i4").astype(np.int64),
        speaker=spoken["speaker"].astype(np.int64),
        most=asked.episodes.most,
        speakers=asked.speakers,
    )


def _column(sent: bytes | None, kind: str | list[tuple[str, str]]) -> NDArray[Any]:
    """The values of a column on the wire, one after the other; none where there are no rows."""
    return np.frombuffer(sent or b"", np.dtype(kind))


def _seconds(sent: bytes | None) -> Seconds:
    """Times as seconds since 1970."""
    return _column(sent, ">i8").astype(np.float64) / 1e6 + _EPOCH

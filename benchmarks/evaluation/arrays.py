"""Episodes of any window size in arrays instead of Postgres, to compare windows without a stack.

Terms, vectors and weights are the same; only rounding differs. `make eval` measures the current
window both ways to show it.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.evaluation.people import BETWEEN_TURNS
from saegim.conversations.types import Exchange
from saegim.domain.scope import Scope
from saegim.llm.ports import Embedder
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.episodes import render
from saegim.memory.recall.types import (
    CandidateTexts,
    EpisodeScores,
    RecallQuestion,
    RecordScores,
    Scan,
    ScanFilter,
    TranscriptTurn,
    VectorBy,
)
from saegim.memory.turn_features import turn_features, turn_text
from saegim.memory.types import TurnFeatures, TurnWindow
from saegim.text import analysis
from saegim.text.rank_fusion import K1, SparseVector, TermHasher, document_vector, query_vector

_HASHER = TermHasher(b"windows")
_NOBODY = UUID(int=0)


class ArrayEpisodes:
    """Every turn of a user with its window. Implements `RecallStore`, without records."""

    def __init__(self, turns: Sequence[TranscriptTurn], windows: Sequence[TurnWindow]) -> None:
        self.turns = turns
        self.contents = [render(window) for window in windows]
        self._own: list[TurnFeatures] = [turn_features(window.turns[-1]) for window in windows]
        self._window_terms = [_weights(analysis.index_terms(text)) for text in self.contents]
        self._own_terms = [_weights(own.terms) for own in self._own]
        self._messages = [_weights(own.message_terms) for own in self._own]
        self._turn_texts = [turn_text(window.turns[-1]) for window in windows]
        self._df = Counter(index for terms in self._window_terms for index in terms)
        self._embedder = ""
        self._vectors: NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._alone = self._vectors

    async def embed(self, embedder: Embedder) -> None:
        self._embedder = embedder.name
        self._vectors = np.array(await embedder.embed(self.contents, "document"), np.float32)
        self._alone = np.array(await embedder.embed(self._turn_texts, "document"), np.float32)

    async def scan(
        self,
        scope: Scope,  # noqa: ARG002 - the port's
        question: RecallQuestion,
        vector: VectorBy,
        narrowing: ScanFilter,  # noqa: ARG002 - the port's
    ) -> Scan:
        asked = query_vector(question.terms, _HASHER, self._df, len(self.turns))
        none = np.zeros(0, np.float32)
        embedded = np.array(await vector(self._embedder), np.float32)
        return Scan(
            records=RecordScores(
                np.zeros(0, "V16"), none, none, none, none.astype(float), none.astype(float), 0.0
            ),
            episodes=EpisodeScores(
                ids=np.array([turn.turn.bytes for turn in self.turns], "V16"),
                session=np.array([turn.session.int for turn in self.turns], np.int64),
                turn=np.array([turn.number for turn in self.turns], np.int64),
                window=_points(self._window_terms, asked),
                own=_points(self._own_terms, asked),
                message=_points(self._messages, asked),
                dense=self._vectors @ embedded,
                own_dense=self._alone @ embedded,
                common=self._alone @ self._alone.mean(axis=0),
                said=np.array([turn.at.timestamp() for turn in self.turns]),
                length=np.array([len(own.message_terms) for own in self._own], np.int64),
                marks=np.array([int(own.marks) for own in self._own], np.int64),
                speaker=np.zeros(len(self.turns), np.int64),
                most=(K1 + 1) * sum(asked.values),
                speakers=frozenset(),
            ),
            kept=(),
        )

    async def open(
        self,
        scope: Scope,  # noqa: ARG002 - the port's
        records: Sequence[UUID],  # noqa: ARG002 - the port's
        episodes: Sequence[UUID],
    ) -> CandidateTexts:
        wanted = set(episodes)
        return CandidateTexts({}, {turn.turn: turn for turn in self.turns if turn.turn in wanted})


class OneIndex(PostgresEpisodes):
    """An index with a fixed embedder."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def embedder(self, tenant: UUID) -> str:  # noqa: ARG002 - the port's
        return self._name


def turns_of(
    told: dict[str, Any], window: int
) -> tuple[list[TranscriptTurn], list[TurnWindow], list[str]]:
    """Returns a user's turns with their windows, and their names in the set."""
    said: list[TranscriptTurn] = []
    windows: list[TurnWindow] = []
    names: list[str] = []
    scope = Scope(_NOBODY, _NOBODY, _NOBODY)
    for number, session in enumerate(told["sessions"], start=1):
        began = datetime.fromisoformat(session["started_at"]).astimezone(UTC)
        exchanges = [
            Exchange(place, turn["message"], turn["reply"], began + place * BETWEEN_TURNS)
            for place, turn in enumerate(session["turns"], start=1)
        ]
        for place, exchange in enumerate(exchanges):
            names.append(session["turns"][place]["id"])
            around = tuple(exchanges[max(0, place - window) : place + 1])
            windows.append(TurnWindow(scope, UUID(int=number), around))
            text = f"{exchange.message}\n{exchange.reply}"
            identifier = UUID(int=len(names))
            said.append(
                TranscriptTurn(
                    identifier,
                    UUID(int=number),
                    exchange.number,
                    text,
                    exchange.at,
                    exchange.message,
                )
            )
    return said, windows, names


def _weights(terms: Sequence[str]) -> dict[int, float]:
    vector = document_vector(terms, _HASHER)
    return dict(zip(vector.indices, vector.values, strict=True))


def _points(rows: Sequence[dict[int, float]], asked: SparseVector) -> NDArray[np.float32]:
    pairs = list(zip(asked.indices, asked.values, strict=True))
    return np.array(
        [sum(row.get(index, 0.0) * value for index, value in pairs) for row in rows], np.float32
    )

"""Shared records are recalled by words, and by meaning where words differ."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import EmbedKind, SimilarityScale
from saegim.memory.types import MemoryType
from saegim.team_memory.service import MOST_NEW, TeamVectors, ranked
from saegim.team_memory.types import TeamRecord, TeamStatement
from saegim.text.analysis import query_terms

NOW = datetime(2026, 11, 18, tzinfo=UTC)
AXES = ("데이터베이스", "배포", "점심")
SAME = {"DB": "데이터베이스", "릴리스": "배포"}


class AxisEmbedder:
    """Embeds a text on the axis of the word that it has, in either wording."""

    name = "axes"
    dimensions = len(AXES)
    scale = SimilarityScale(0.0, 1.0)

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.is_down = False

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        if self.is_down:
            raise ModelUnavailable("down")
        if kind == "document":
            self.documents += texts
        return [[float(axis in _plain(text)) for axis in AXES] for text in texts]


def _plain(text: str) -> str:
    for word, axis in SAME.items():
        text = text.replace(word, axis)
    return text


def record(number: int, content: str) -> TeamRecord:
    statement = TeamStatement(MemoryType.DECISION, content)
    return TeamRecord(UUID(int=number), UUID(int=99), statement, NOW, 1, NOW, NOW)


RECORDS = [record(1, "데이터베이스는 포스트그레스로 정했다"), record(2, "배포는 화요일에 한다")]


async def found(vectors: TeamVectors, question: str) -> list[UUID]:
    similar = await vectors.similarities(question, RECORDS)
    return [each.id for each in ranked(RECORDS, frozenset(query_terms(question)), similar)]


async def test_a_question_in_other_words_finds_the_record() -> None:
    vectors = TeamVectors(AxisEmbedder())
    assert await found(vectors, "DB 뭐 쓰지?") == [UUID(int=1)]
    assert await found(vectors, "릴리스 언제야?") == [UUID(int=2)]
    assert await found(vectors, "점심 뭐 먹지?") == []


async def test_words_come_before_meaning() -> None:
    vectors = TeamVectors(AxisEmbedder())
    assert await found(vectors, "DB 배포는 화요일?") == [UUID(int=2), UUID(int=1)]


async def test_without_the_embedder_words_still_find() -> None:
    embedder = AxisEmbedder()
    embedder.is_down = True
    assert await found(TeamVectors(embedder), "데이터베이스 뭘로 정했지?") == [UUID(int=1)]


async def test_a_version_is_embedded_once() -> None:
    embedder = AxisEmbedder()
    vectors = TeamVectors(embedder)
    for _ in range(2):
        await vectors.similarities("DB?", RECORDS)
    assert len(embedder.documents) == 2
    await vectors.similarities("DB?", [replace(RECORDS[0], version=2)])
    assert len(embedder.documents) == 3
    vectors.drop(RECORDS[1].id)
    await vectors.similarities("DB?", RECORDS)
    assert len(embedder.documents) == 4


async def test_one_question_waits_for_few_new_vectors() -> None:
    embedder = AxisEmbedder()
    many = [record(number, f"배포 {number}") for number in range(1, 2 * MOST_NEW)]
    similar = await TeamVectors(embedder).similarities("릴리스", many)
    assert len(similar) == len(embedder.documents) == MOST_NEW

"""Questions that are asked before a backup and after its restore, and their results."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from benchmarks.stack import LiveStack
from saegim.app.container import Services, build
from saegim.auth.types import ActAs
from saegim.client.client import SaegimClient
from saegim.library.types import SearchFilter
from saegim.text.analysis import query_terms

SUBJECTS = ("고양이", "자전거", "커피", "등산", "피아노", "수영", "사진", "여행", "독서", "요리")
TOP = 10
COLLECTIONS = b"select tenant_id, collection_id from collection where tenant_id = %s"
GENERATION = b"select index_version from index_state where tenant_id = %s and subject = 'library'"


@dataclass
class Answers:
    """Results of each question as ids in order: recalls, fused searches, and both retrievers
    alone, keywords with their scores."""

    recalls: list[list[str]] = field(default_factory=list[list[str]])
    searches: list[list[str]] = field(default_factory=list[list[str]])
    lexical: list[list[tuple[str, float]]] = field(default_factory=list[list[tuple[str, float]]])
    dense: list[list[str]] = field(default_factory=list[list[str]])


def changed[T](before: Sequence[T], after: Sequence[T]) -> float:
    """Returns the number of different results."""
    return float(sum(was != now for was, now in zip(before, after, strict=True)))


def overlap(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> float:
    """Returns the mean share of earlier results that are found again."""
    shares = [
        len(set(was) & set(now)) / len(was) for was, now in zip(before, after, strict=True) if was
    ]
    return sum(shares) / len(shares) if shares else 1.0


def question(number: int) -> str:
    """Returns a question to the library; the first 420 are unique."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    return f"{subject} 모임 {number % 12 + 1}월 신청, 준비물 {number % 7}가지"


async def ask(stack: LiveStack, key: str, questions: int, people: int) -> Answers:
    """Asks half recalls of the users, half searches in the library."""
    answers = Answers()
    for number in range(questions // 2):
        person, turn = number % people, number // people
        async with SaegimClient(stack.url, key, user=f"p{person}") as client:
            asked = f"{SUBJECTS[turn % len(SUBJECTS)]} {turn}번 기록은 몇 점이었지?"
            found = await client.memories.recall(asked)
            each = (*found.pinned, *found.records, *found.episodes)
            answers.recalls.append([str(one.id) for one in each])
            searched = (await client.search(question(number))).found
            answers.searches.append([str(one.passage_id) for one in searched])
    services = build(stack.settings())
    await services.open()
    try:
        await _ask_arms(
            services, key, [question(number) for number in range(questions // 2)], answers
        )
    finally:
        await services.close()
    return answers


async def _ask_arms(
    services: Services, key: str, questions: Sequence[str], answers: Answers
) -> None:
    tenant = (await services.auth.authentication.authenticate(key, ActAs("p0", None))).scope.tenant
    where, generation = await _place(services, tenant)
    vectors = await services.llm.embedder.embed(questions, "query")
    for asked, vector in zip(questions, vectors, strict=True):
        terms = query_terms(asked)
        words = await services.library.index.lexical(tenant, generation, terms, where, TOP)
        answers.lexical.append([(str(hit.passage), round(hit.score, 4)) for hit in words])
        near = await services.library.index.dense(tenant, generation, vector, where, TOP)
        answers.dense.append([str(hit.passage) for hit in near])


async def _place(services: Services, tenant: UUID) -> tuple[SearchFilter, int]:
    """Returns all collections of a tenant, and the active build of its index."""
    async with services.db.cells.home.transaction(tenant) as connection:
        rows = await (await connection.execute(COLLECTIONS, (tenant,))).fetchall()
        row = await (await connection.execute(GENERATION, (tenant,))).fetchone()
    assert row is not None, "the tenant has an index"
    return SearchFilter(frozenset(each["collection_id"] for each in rows)), row["index_version"]

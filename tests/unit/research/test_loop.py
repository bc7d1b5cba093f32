"""Research, whatever the library and the models answer."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.doubles.models import ScriptedModels
from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller, Role, Scope
from saegim.library.service import Library, SearchResults
from saegim.library.types import (
    Document,
    FoundPassage,
    Passage,
    PassageLocation,
    PassageSignals,
    ResultCounts,
    Tags,
)
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.research.lookup import look_up
from saegim.research.loop import (
    Assessment,
    Research,
    assess_by_rule,
    chosen_passages,
    favour,
    fuse,
    in_thread,
    queries,
)
from saegim.research.types import MOST_CALLS, Findings, Hints, ResearchQuestion

CALLER = Caller(Scope(uuid4(), uuid4(), uuid4()), Role.MEMBER, uuid4(), uuid4())
NOW = datetime(2026, 11, 15, tzinfo=UTC)


def found(number: int, score: float = 1.0, kind: str = "guide", text: str = "") -> FoundPassage:
    tags = Tags(number % 2 == 0, False, False, "ko", ("EC2",) if number % 3 == 0 else ())
    document = Document(
        UUID(int=1000 + number),
        CALLER.scope.tenant,
        uuid4(),
        f"d{number}",
        kind,
        None,
        "1",
        {},
        NOW,
    )
    passage = Passage(
        UUID(int=number), document.id, uuid4(), number, text or f"글 {number}", 10, tags
    )
    return FoundPassage(passage, document, (), PassageSignals(score, 0.9, score))


class Shelf(Library):
    """A library with configured results, which counts its calls."""

    def __init__(self, answers: Sequence[Sequence[FoundPassage]], consulted: bool = True) -> None:
        self._answers = list(answers)
        self._consulted = consulted
        self.rounds = 0
        self.searched: list[str] = []

    def _next(self) -> tuple[FoundPassage, ...]:
        return tuple(self._answers.pop(0)) if self._answers else ()

    async def search_all(
        self, caller: Caller, question: str, counts: ResultCounts | None = None
    ) -> SearchResults:
        self.searched.append(question)
        return SearchResults(self._next(), consulted=self._consulted)

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: ResultCounts | None = None
    ) -> list[SearchResults]:
        return [await self.search_all(caller, question, counts) for question in questions]

    async def search(
        self, caller: Caller, question: str, *, count: int | None = None, **narrowed: object
    ) -> SearchResults:
        self.rounds += 1
        return SearchResults(self._next())

    async def get_section(self, caller: Caller, passage: UUID) -> list[PassageLocation]:
        self.rounds += 1
        if passage.int % 5 == 0:
            raise NotFound("passage")
        more = self._next()
        return [PassageLocation(one.passage, one.document, ()) for one in more]

    async def lookup(
        self, caller: Caller, document_id: str, count: int = 0
    ) -> tuple[Document, list[PassageLocation]]:
        if not document_id.startswith("d"):
            raise NotFound("document")
        one = found(int(document_id[1:]))
        return one.document, [PassageLocation(one.passage, one.document, ())]

    async def related(self, caller: Caller, document: Document, count: int = 3) -> list[Document]:
        return [found(n).document for n in (3, 7)]


def allowance() -> TurnModelBudget:
    steps = Steps(ScriptedModels({}))
    return TurnModelBudget(steps, steps.now() + 30, lambda _: None)


ASSESSMENTS = st.builds(
    Assessment,
    ranked_indices=st.lists(st.integers(-5, 30), max_size=12),
    is_sufficient=st.booleans(),
    missing=st.lists(st.sampled_from(["steps", "table", "무엇"]), max_size=3),
    next_action=st.sampled_from(["get_section", "search_again", None]),
    refined_query=st.none() | st.text(max_size=20),
    confidence=st.floats(0, 1),
)
SHELVES = st.lists(
    st.lists(st.integers(0, 40), max_size=12, unique=True).map(
        lambda numbers: [found(n, 50.0 - i) for i, n in enumerate(numbers)]
    ),
    max_size=8,
)


@pytest.mark.requirement("TN3")
@settings(max_examples=120, deadline=None)
@given(SHELVES, st.lists(ASSESSMENTS, max_size=4), st.lists(st.text(max_size=20)))
def test_never_more_than_three_calls_whatever_comes_back(
    shelves: list[list[FoundPassage]], judged: list[Assessment], variants: list[str]
) -> None:
    shelf = Shelf(shelves)
    question = ResearchQuestion("EC2 비용 줄이는 방법?", variants=tuple(variants))

    async def research() -> Findings:
        steps, own = allowance(), Research(shelf)
        findings = await own.find(CALLER, question, steps)
        for each in judged:
            findings = await own.follow(CALLER, question, findings, each, steps)
        return findings

    findings = asyncio.run(research())

    assert len(findings.library_calls) <= MOST_CALLS
    assert shelf.rounds <= MOST_CALLS - 1
    considered = {one.passage.id for one in findings.considered}
    assert {one.passage.id for one in findings.ranked} <= considered
    assert len(considered) == len(findings.considered)
    assert 0 <= findings.confidence <= 1


@pytest.mark.requirement("LB6")
def test_the_message_is_always_searched_verbatim() -> None:
    question = ResearchQuestion(
        "EC2는?", "비용 분석\nEC2는?", ("ec2는?", "EC2 요금", " ", "셋", "넷")
    )
    assert queries(question) == ("EC2는?", "비용 분석 EC2는?", "EC2 요금", "셋")
    assert in_thread("1월은?", ["", "11월 분석해줘", " "]) == "11월 분석해줘\n1월은?"
    assert in_thread("1월은?", []) is None


@pytest.mark.requirement("LB6")
def test_one_call_searches_the_message_its_context_and_its_variants() -> None:
    shelf = Shelf([[found(1)], [found(2)], [found(3)]])
    question = ResearchQuestion(
        "그건 얼마?", standalone="팀 요금제\n그건 얼마?", variants=("팀 요금",)
    )
    findings = asyncio.run(Research(shelf).find(CALLER, question, allowance()))
    assert shelf.searched == ["그건 얼마?", "팀 요금제 그건 얼마?", "팀 요금"]
    assert findings.library_calls[0].queries == tuple(shelf.searched)
    assert {one.document.outside_id for one in findings.considered} >= {"d1", "d2", "d3"}


def test_fusing_takes_what_a_query_left_out_at_its_far_end() -> None:
    one = [found(1, 10.0), found(2, 4.0)]
    two = [found(2, 9.0), found(3, 8.0)]
    fused = fuse([one, two, []])
    assert [(f.passage.id.int, f.signals.score) for f in fused] == [(1, 9.0), (2, 6.5), (3, 6.0)]


@pytest.mark.requirement("TN11")
def test_what_the_message_names_moves_up() -> None:
    pool = [found(1, 10.0), found(3, 9.0), found(4, 9.5, kind="ts")]
    assert favour(pool, Hints("EC2"), ())[0].passage.id.int == 3
    assert favour(pool, Hints(doc_type="ts"), ())[0].passage.id.int == 4
    assert favour(pool, Hints(), ("ts",))[1].passage.id.int == 4


def test_indices_that_name_nothing_are_dropped() -> None:
    judged = Assessment(ranked_indices=[2, 9, -1, 2, 0], is_sufficient=True, confidence=1)
    assert [f.passage.id.int for f in chosen_passages(judged, [found(n) for n in range(3)])] == [
        2,
        0,
    ]


def test_the_twin_is_sure_of_what_covers_the_question_and_not_of_what_does_not() -> None:
    good = found(1, 40.0, text="EC2 예약 인스턴스는 비용을 줄입니다.")
    pool = [good, *(found(n, 5.0, text="다른 이야기") for n in range(2, 9))]
    sure = assess_by_rule(ResearchQuestion("EC2 예약 인스턴스 비용"), pool)
    unsure = assess_by_rule(ResearchQuestion("화성 이주 신청 절차"), pool[1:])
    assert sure.confidence > 0.6 > 0.5 > unsure.confidence
    assert sure.ranked_indices[0] == 0
    assert assess_by_rule(ResearchQuestion("?"), []).confidence == 0.0


@pytest.mark.requirement("TN3")
def test_a_thread_about_something_else_does_not_hide_what_the_message_finds() -> None:
    message = "EC2 예약 인스턴스 비용"
    good = found(1, 14.0, text="EC2 예약 인스턴스는 비용을 줄입니다.")
    rest = [found(n, 3.0, text="다른 이야기") for n in range(2, 9)]
    of_the_thread = [found(n, 20.0, text="고양이 이름") for n in range(20, 36)]
    threaded = ResearchQuestion(message, standalone=f"내 고양이 이름은 보리야 {message}")

    shelf = Shelf([[good, *rest], of_the_thread])
    findings = asyncio.run(Research(shelf).find(CALLER, threaded, allowance()))

    assert shelf.searched == [message, threaded.standalone]
    assert findings.considered[0].passage.id == good.passage.id
    assert findings.confidence > 0.5


@pytest.mark.requirement("TN3")
def test_a_question_for_steps_searches_for_steps() -> None:
    shelf = Shelf([[found(1, 9.0)], [found(2, 8.0)]])
    findings = asyncio.run(
        Research(shelf).find(CALLER, ResearchQuestion("설정 방법?"), allowance())
    )
    assert findings.library_calls[1].filters == ("has_steps",)


@pytest.mark.requirement("TN3")
def test_passages_with_steps_come_after_the_three_best() -> None:
    # Those with even numbers have steps.
    first = [found(n, 50.0 - n, text=f"설정 안내 {n}") for n in (1, 3, 5, 7, 9, 11)]
    steps = [found(n, 40.0, text=f"설정 순서 {n}") for n in (2, 4)]
    findings = asyncio.run(
        Research(Shelf([first, steps])).find(CALLER, ResearchQuestion("설정 방법?"), allowance())
    )
    order = [each.passage.id.int for each in findings.considered]
    assert order == [1, 3, 5, 7, 2, 9, 4, 11]


@pytest.mark.requirement("TN2")
def test_unknown_documents_are_rejected_and_three_opened_at_most() -> None:
    ids = [("x-1", "1"), ("gcb-2", "d2"), ("d3",), ("d4",)]
    findings = asyncio.run(look_up(Shelf([]), CALLER, ids, "?", related_seconds=60))
    assert [document.outside_id for document in findings.documents] == ["d2", "d3"]
    assert findings.rejected == ("x-1", "d4")


@pytest.mark.requirement("LB7")
def test_passages_of_related_documents_follow_those_of_the_opened_ones() -> None:
    findings = asyncio.run(
        look_up(Shelf([]), CALLER, [("d2",), ("d3",)], "글 7", related_seconds=60)
    )
    assert [document.outside_id for document in findings.related] == ["d7"]
    assert [one.document.outside_id for one in findings.ranked] == ["d2", "d3", "d7"]
    assert [call.tool for call in findings.library_calls] == ["lookup", "related"]
    assert asyncio.run(look_up(Shelf([]), CALLER, [("x",)], "?", related_seconds=60)).related == ()


@pytest.mark.requirement("TN3")
def test_another_search_moves_up_what_the_first_one_ranked_last() -> None:
    first = [found(n, 50.0 - 5 * n, text="EC2 비용") for n in range(10)]
    again = [found(9, 40.0, text="예약 할인"), found(1, 12.0, text="EC2 비용")]
    asked = Assessment(
        ranked_indices=[],
        is_sufficient=False,
        next_action="search_again",
        refined_query="예약 할인",
        confidence=0.9,
    )

    async def research() -> Findings:
        steps, own = allowance(), Research(Shelf([first, again]))
        question = ResearchQuestion("EC2 비용")
        before = await own.find(CALLER, question, steps)
        assert 9 not in [each.passage.id.int for each in before.ranked]
        return await own.follow(CALLER, question, before, asked, steps)

    assert asyncio.run(research()).ranked[0].passage.id.int == 9

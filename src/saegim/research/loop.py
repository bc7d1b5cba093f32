"""The search loop: search, assess, search again."""

import asyncio
import re
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.index_ports import PassageLocation
from saegim.library.service import INDEX_PART, Library, SearchResults, shares, title_of
from saegim.library.types import FoundPassage, PassageSignals, ResultCounts
from saegim.llm.ports import ModelRole
from saegim.llm.steps import TurnModelBudget, load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.research.confidence import SCALE, features, hides
from saegim.research.types import MOST_CALLS, Findings, Hints, LibraryCall, ResearchQuestion, Tool
from saegim.text.analysis import fold
from saegim.text.tokens import cut, delimited

READ = 12
PASSAGE_TOKENS = 220
# The twin takes passages that are near the best in score, or stand in the same document: an
# overview often scores highest, and what it is an overview of stands right behind it.
_NEAR = 0.45
_MOST = 6
_SURE = 0.6

_WANTS_STEPS = re.compile(
    r"방법|어떻게|절차|순서|단계|하려면|how (?:to|do|can)|steps?\b|procedure", re.IGNORECASE
)
_WANTS_TABLE = re.compile(
    r"요금표|가격표|비교|목록|표로|price list|pricing|compare|table", re.IGNORECASE
)


class Assessment(BaseModel):
    """Which passages help, whether they suffice, and what to do if they do not."""

    ranked_indices: list[int] = Field(max_length=50)
    is_sufficient: bool
    missing: list[str] = Field(default=[], max_length=20)
    next_action: Literal["get_section", "search_again"] | None = None
    refined_query: str | None = Field(default=None, max_length=1_000)
    confidence: float = Field(ge=0.0, le=1.0)


ASSESS = StructuredStep("assess", ModelRole.ASSESSOR, StepPath.REPLY, Assessment, 600)


def assessment_prompt(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> StepPrompt:
    """The question and the first passages, as data."""
    shown = [delimited("question", question.message)]
    if question.standalone:
        shown.append(delimited("question_in_conversation", question.standalone))
    for number, one in enumerate(pool[:READ]):
        head = " › ".join([title_of(one.document, one.passage.text), *one.path])
        text = f"{number}. ({one.document.type}) {head}\n{cut(one.passage.text, PASSAGE_TOKENS)}"
        shown.append(delimited("passage", text))
    return load("saegim.research", "assess").step((Message("user", "\n\n".join(shown)),))


def chosen_passages(
    assessment: Assessment, pool: Sequence[FoundPassage]
) -> tuple[FoundPassage, ...]:
    """The ranked passages; numbers that name none are dropped, and so is a second mention."""
    numbers = dict.fromkeys(assessment.ranked_indices)
    return tuple(pool[number] for number in numbers if 0 <= number < min(len(pool), READ))


def assess_by_rule(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> Assessment:
    """Passages near the best score; confidence by arithmetic; steps are searched if asked for."""
    if not pool:
        return Assessment(ranked_indices=[], is_sufficient=False, confidence=0.0)
    asked = question.standalone or question.message
    confidence = SCALE.confidence(features(question.message, pool))
    best, document = pool[0].signals.score, pool[0].document.id
    near = [
        number
        for number, one in enumerate(pool[:READ])
        if best <= 0 or one.signals.score >= _NEAR * best or one.document.id == document
    ]
    ranked = near[:_MOST]
    missing = _missing(asked, [pool[number] for number in ranked])
    return Assessment(
        ranked_indices=ranked,
        is_sufficient=confidence >= _SURE and not missing,
        missing=missing,
        next_action="search_again" if missing else None,
        refined_query=asked[:1_000] if missing else None,
        confidence=confidence,
    )


def _missing(asked: str, ranked: Sequence[FoundPassage]) -> list[str]:
    missing: list[str] = []
    if _WANTS_STEPS.search(asked) and not any(one.passage.tags.has_steps for one in ranked):
        missing.append("steps")
    if _WANTS_TABLE.search(asked) and not any(one.passage.tags.has_table for one in ranked):
        missing.append("table")
    return missing


# What a passage gains that has the equipment, the type or the kind of document that was asked
# about, as a share of the best score.
HINT_SHARE = 0.15
PREFERRED_SHARE = 0.05


def fuse(searches: Sequence[Sequence[FoundPassage]]) -> list[FoundPassage]:
    """The mean of a passage's scores over the queries, best first.

    What a query left out stands at its far end. Scores are points of one scale, so that a query
    with rare words, which scores high, counts for more than one of common words.
    """
    searches = [found for found in searches if found]
    by_query = [{one.passage.id: one for one in found} for found in searches]
    lowest = [min(one.signals.score for one in found) for found in searches]
    seen: dict[UUID, FoundPassage] = {
        key: one for found in reversed(by_query) for key, one in found.items()
    }
    fused = [
        replace(
            one,
            signals=PassageSignals(
                _best([found[key].signals.lexical for found in by_query if key in found]),
                _best([found[key].signals.dense for found in by_query if key in found]),
                sum(
                    found[key].signals.score if key in found else low
                    for found, low in zip(by_query, lowest, strict=True)
                )
                / len(by_query),
            ),
        )
        for key, one in seen.items()
    ]
    return sorted(fused, key=lambda one: (-one.signals.score, one.passage.id))


def favour(
    found: Sequence[FoundPassage], hints: Hints, prefers: Sequence[str]
) -> list[FoundPassage]:
    """The ranking with what the message names, and what the route prefers, moved up."""
    best = max((one.signals.score for one in found), default=0.0)
    wanted = {fold(name) for name in hints.names()}

    def gain(one: FoundPassage) -> float:
        names = {fold(name) for name in one.passage.tags.names}
        named = len(wanted & names) + (one.document.type == hints.doc_type)
        return best * (HINT_SHARE * named + PREFERRED_SHARE * (one.document.type in prefers))

    moved = [_raised(one, gain(one)) for one in found]
    return sorted(moved, key=lambda one: -one.signals.score)


def _raised(one: FoundPassage, points: float) -> FoundPassage:
    if not points:
        return one
    return replace(one, signals=replace(one.signals, score=one.signals.score + points))


def _best(scores: Sequence[float | None]) -> float | None:
    return max((score for score in scores if score is not None), default=None)


MOST_QUERIES = 4
# A pasted page is searched by its beginning: more words than these find nothing better.
QUERY_TOKENS = 200


def queries(question: ResearchQuestion) -> tuple[str, ...]:
    """Each query once, the message verbatim always first (LB6)."""
    wanted = [question.message, question.standalone or "", *question.variants]
    found: dict[str, str] = {}
    for text in wanted:
        query = cut(" ".join(text.split()), QUERY_TOKENS)
        if query:
            found.setdefault(fold(query), query)
    return tuple(found.values())[:MOST_QUERIES]


def in_thread(message: str, said: Sequence[str]) -> str | None:
    """The message after the one before it, for a message that its wording leaves open."""
    before = next((text for text in reversed(said) if text.strip()), None)
    return None if before is None else f"{cut(before, QUERY_TOKENS)}\n{message}"


LIBRARY_SECONDS = 6.0
# What each query brings before all are fused: twice what a search usually gives.
WIDE = ResultCounts(6, 14)
FAQ = "faq"
TOO_SLOW = SearchResults((), (INDEX_PART,))
FILTERS = {"steps": "has_steps", "conditions": "has_conditions", "table": "has_table"}


@dataclass(slots=True)
class _Notes:
    """What was done so far, and the time there is for more."""

    steps: TurnModelBudget
    pool: list[FoundPassage] = field(default_factory=list[FoundPassage])
    calls: list[LibraryCall] = field(default_factory=list[LibraryCall])
    degraded: list[str] = field(default_factory=list[str])
    consulted: bool = False
    most: int = 10

    def patience(self) -> float:
        """Seconds that a call of the library may take now."""
        return min(LIBRARY_SECONDS, self.steps.left())


class Research:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def find(
        self, caller: Caller, question: ResearchQuestion, steps: TurnModelBudget
    ) -> Findings:
        """Evidence for a question, within `MOST_CALLS` calls of the library by construction."""
        notes = _Notes(steps)
        await self._search(caller, question, notes)
        assessment = await self._assess(question, notes)
        for _ in range(min(question.calls, MOST_CALLS) - 1):
            if not await self._go_on(caller, question, assessment, notes):
                break
            assessment = await self._assess(question, notes)
        return Findings(
            ranked=chosen_passages(assessment, notes.pool),
            considered=tuple(notes.pool),
            confidence=assessment.confidence if notes.pool else 0.0,
            is_sufficient=assessment.is_sufficient,
            missing=tuple(assessment.missing),
            consulted=notes.consulted,
            library_calls=tuple(notes.calls),
            degraded=tuple(dict.fromkeys(notes.degraded)),
        )

    async def _search(self, caller: Caller, question: ResearchQuestion, notes: _Notes) -> None:
        """All queries at once, fused; the shares of FAQ and others hold for the whole."""
        asked, began = queries(question), time.perf_counter()
        found = await _patiently(
            self._library.search_together(caller, asked, WIDE), notes.patience()
        )
        found = found or [TOO_SLOW]
        notes.pool = _best_of(found, question)
        notes.most = found[0].usual.total
        notes.consulted = any(one.consulted for one in found)
        notes.degraded += [part for one in found for part in one.degraded]
        notes.calls.append(_call(Tool.SEARCH_ALL, asked, (), len(notes.pool), began))

    async def _assess(self, question: ResearchQuestion, notes: _Notes) -> Assessment:
        if not notes.pool:
            return assess_by_rule(question, ())
        return await notes.steps.structured(
            ASSESS,
            assessment_prompt(question, notes.pool),
            lambda: assess_by_rule(question, notes.pool),
        )

    async def _go_on(
        self,
        caller: Caller,
        question: ResearchQuestion,
        assessment: Assessment,
        notes: _Notes,
    ) -> bool:
        """One more call, if the assessment asks for one that brings something new."""
        if assessment.is_sufficient or assessment.next_action is None or not notes.consulted:
            return False
        if notes.patience() <= 0:
            return False
        ranked = list(chosen_passages(assessment, notes.pool))
        rest = [one for one in notes.pool if one not in ranked]
        if assessment.next_action == "get_section" and ranked:
            new = await self._section(caller, ranked[0], notes)
            notes.pool = _once([ranked[0], *new, *ranked[1:], *rest])
        else:
            query = assessment.refined_query or question.standalone or question.message
            new = await self._search_again(caller, query, assessment, notes)
            notes.pool = _once([*_interleaved(ranked, new), *rest])
        return bool(new)

    async def _section(
        self, caller: Caller, best: FoundPassage, notes: _Notes
    ) -> list[FoundPassage]:
        began, places = time.perf_counter(), list[PassageLocation]()
        try:
            async with asyncio.timeout(notes.patience()):
                places += await self._library.get_section(caller, best.passage.id)
        except (NotFound, TimeoutError):
            pass
        known = {one.passage.id for one in notes.pool}
        new = [
            FoundPassage(
                place.passage, place.document, place.section.path, PassageSignals(None, None, 0.0)
            )
            for place in places
            if place.passage.id not in known
        ]
        ordinal = best.passage.ordinal
        new.sort(key=lambda one: (abs(one.passage.ordinal - ordinal), one.passage.ordinal))
        asked = (str(best.passage.id),)
        notes.calls.append(_call(Tool.GET_SECTION, asked, (), len(new), began))
        return new

    async def _search_again(
        self,
        caller: Caller,
        query: str,
        assessment: Assessment,
        notes: _Notes,
    ) -> list[FoundPassage]:
        """With the refined query, narrowed to what was missing."""
        began = time.perf_counter()
        narrowed: dict[str, object] = {
            FILTERS[missing]: True for missing in assessment.missing if missing in FILTERS
        }
        search = self._library.search(caller, query, count=notes.most, **narrowed)
        found = await _patiently(search, notes.patience()) or TOO_SLOW
        known = {one.passage.id for one in notes.pool}
        new = [one for one in found.found if one.passage.id not in known]
        notes.degraded += found.degraded
        tool = Tool.SEARCH_BY_METADATA if narrowed else Tool.SEARCH_ALL
        notes.calls.append(_call(tool, (query,), tuple(narrowed), len(new), began))
        return new


def _best_of(found: Sequence[SearchResults], question: ResearchQuestion) -> list[FoundPassage]:
    """What all queries found together, unless a thread about something else hides what the message
    as it is, the first of them, finds."""
    by_query, usual = [one.found for one in found], found[0].usual
    together = _pool(by_query, question, usual)
    if len(by_query) == 1:
        return together
    alone = _pool(by_query[:1], question, usual)
    return alone if hides(question.message, together, alone) else together


def _pool(
    searches: Sequence[Sequence[FoundPassage]], question: ResearchQuestion, usual: ResultCounts
) -> list[FoundPassage]:
    fused = favour(fuse(searches), question.hints, question.prefers)
    faq = [one for one in fused if one.document.type == FAQ]
    other = [one for one in fused if one.document.type != FAQ]
    return shares(faq, other, usual)


async def _patiently[T](search: Awaitable[T], seconds: float) -> T | None:
    """What a search finds; nothing where the index takes too long."""
    try:
        async with asyncio.timeout(seconds):
            return await search
    except TimeoutError:
        return None


def _call(
    tool: Tool, asked: tuple[str, ...], filters: tuple[str, ...], found: int, began: float
) -> LibraryCall:
    return LibraryCall(tool, asked, filters, found, round((time.perf_counter() - began) * 1000, 3))


def _interleaved(ranked: Sequence[FoundPassage], new: Sequence[FoundPassage]) -> list[FoundPassage]:
    """The best known first, then one new and one known in turn: both deserve to be judged."""
    merged: list[FoundPassage] = []
    known, fresh = list(ranked), list(new)
    while known or fresh:
        merged += [side.pop(0) for side in (known, fresh) if side]
    return merged


def _once(found: Sequence[FoundPassage]) -> list[FoundPassage]:
    return list({one.passage.id: one for one in reversed(found)}.values())[::-1]

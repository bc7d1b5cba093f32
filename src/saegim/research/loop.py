"""The search loop: search, assess the passages by rule or model, search again."""

import asyncio
import math
import re
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.ranking import term_rarity
from saegim.library.service import INDEX_PART, Library, SearchResults, fold_copies, shares, title_of
from saegim.library.types import FoundPassage, PassageLocation, PassageSignals, ResultCounts
from saegim.llm.steps import TurnModelBudget
from saegim.research.types import MOST_CALLS, Findings, Hints, LibraryCall, ResearchQuestion, Tool
from saegim.text.analysis import fold, index_terms, query_terms
from saegim.text.tokens import cut, delimited

SCORED = 10
FIRST = 3


@dataclass(frozen=True, slots=True)
class Features:
    """Features of a result list: coverage from 0 to 1, similarity from 0 (unrelated) to 1
    (matching), margin in points of score."""

    coverage: float
    nearness: float
    margin: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Logistic model, fitted on questions with and without an answer (docs/concepts/turn.md)."""

    coverage: float
    nearness: float
    margin: float
    offset: float

    def confidence(self, features: Features) -> float:
        x = (
            self.coverage * features.coverage
            + self.nearness * features.nearness
            + self.margin * math.log1p(max(0.0, features.margin))
            + self.offset
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


# Between the fit on the dev half of MTRAG-UN and that on dev questions of the other sets, asked
# with and without their answers in libraries of 15 to 400 passages. The offset favours answering:
# a withheld answer costs more than passages that do not answer.
SURE = 0.5
SCALE = Scale(coverage=3.0, nearness=5.0, margin=1.5, offset=-9.0)


def features(message: str, ranked: Sequence[FoundPassage]) -> Features:
    """Return the features of the first passages; terms are weighted by rarity among them."""
    if not ranked:
        return Features(0.0, 0.0, 0.0)
    read = ranked[:SCORED]
    term_sets = [_terms_of(f"{' '.join(each.path)} {each.passage.text}") for each in read]
    holders = Counter(term for terms in term_sets for term in terms)
    weight = {term: term_rarity(holders[term], len(read)) for term in query_terms(message)}
    total = sum(weight.values()) or 1.0
    covered = [sum(w for term, w in weight.items() if term in terms) / total for terms in term_sets]
    return Features(
        coverage=max(covered[:FIRST]),
        nearness=max((each.signals.dense or 0.0) for each in read[:FIRST]),
        # A library of fewer passages has no tenth: an unrelated one would score about 0.
        margin=read[0].signals.score - (read[-1].signals.score if len(read) == SCORED else 0.0),
    )


# Searches of one turn, and of many turns, find the same passages.
@lru_cache(maxsize=500)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def hides(message: str, together: Sequence[FoundPassage], alone: Sequence[FoundPassage]) -> bool:
    """Return whether the message alone finds an answer that it does not find in its thread."""
    return _sure(message, alone) and not _sure(message, together)


def _sure(message: str, ranked: Sequence[FoundPassage]) -> bool:
    return SCALE.confidence(features(message, ranked)) >= SURE


READ = 12
PASSAGE_TOKENS = 220
# The rule takes passages with a score near the best, or of the same document: often an overview
# scores highest, and the details follow it.
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


def passage_blocks(pool: Sequence[FoundPassage]) -> list[str]:
    """Return the first passages as a prompt shows them, numbered from 0."""
    blocks: list[str] = []
    for number, each in enumerate(pool[:READ]):
        head = " › ".join([title_of(each.document, each.passage.text), *each.path])
        text = f"{number}. ({each.document.type}) {head}\n{cut(each.passage.text, PASSAGE_TOKENS)}"
        blocks.append(delimited("passage", text))
    return blocks


def chosen_passages(
    assessment: Assessment, pool: Sequence[FoundPassage]
) -> tuple[FoundPassage, ...]:
    """Return the ranked passages, without invalid and repeated numbers."""
    numbers = dict.fromkeys(assessment.ranked_indices)
    return tuple(pool[number] for number in numbers if 0 <= number < min(len(pool), READ))


def assess_by_rule(question: ResearchQuestion, pool: Sequence[FoundPassage]) -> Assessment:
    """Assess by scores; asks for another search if steps or a table are missing."""
    if not pool:
        return Assessment(ranked_indices=[], is_sufficient=False, confidence=0.0)
    text = question.standalone or question.message
    confidence = SCALE.confidence(features(question.message, pool))
    best, document = pool[0].signals.score, pool[0].document.id
    near = [
        number
        for number, each in enumerate(pool[:READ])
        if best <= 0 or each.signals.score >= _NEAR * best or each.document.id == document
    ]
    ranked = near[:_MOST]
    missing = _missing(text, [pool[number] for number in ranked])
    return Assessment(
        ranked_indices=ranked,
        is_sufficient=confidence >= _SURE and not missing,
        missing=missing,
        next_action="search_again" if missing else None,
        refined_query=text[:1_000] if missing else None,
        confidence=confidence,
    )


def _missing(text: str, ranked: Sequence[FoundPassage]) -> list[str]:
    missing: list[str] = []
    if _WANTS_STEPS.search(text) and not any(each.passage.tags.has_steps for each in ranked):
        missing.append("steps")
    if _WANTS_TABLE.search(text) and not any(each.passage.tags.has_table for each in ranked):
        missing.append("table")
    return missing


# Bonus for passages with a named tag or document type, or a preferred type, as a share of the best
# score.
HINT_SHARE = 0.15
PREFERRED_SHARE = 0.05


def fuse(searches: Sequence[Sequence[FoundPassage]]) -> list[FoundPassage]:
    """Sort passages by their mean score over the queries, best first.

    A passage that a query did not return gets the lowest score of that query. Scores are not
    normalised, so that a query with rare words, which scores higher, has more weight.
    """
    searches = [results for results in searches if results]
    by_query = [{each.passage.id: each for each in results} for results in searches]
    lowest = [min(each.signals.score for each in results) for results in searches]
    seen: dict[UUID, FoundPassage] = {
        key: each for passages in reversed(by_query) for key, each in passages.items()
    }
    fused = [
        replace(
            each,
            signals=PassageSignals(
                _best([passages[key].signals.lexical for passages in by_query if key in passages]),
                _best([passages[key].signals.dense for passages in by_query if key in passages]),
                sum(
                    passages[key].signals.score if key in passages else low
                    for passages, low in zip(by_query, lowest, strict=True)
                )
                / len(by_query),
            ),
        )
        for key, each in seen.items()
    ]
    return sorted(fused, key=lambda each: (-each.signals.score, each.passage.id))


def favour(
    found: Sequence[FoundPassage], hints: Hints, prefers: Sequence[str]
) -> list[FoundPassage]:
    """Move up passages that match the hints or the types that the route prefers."""
    best = max((each.signals.score for each in found), default=0.0)
    hinted = {fold(name) for name in hints.names()}

    def boosted(each: FoundPassage) -> FoundPassage:
        names = {fold(name) for name in each.passage.tags.names}
        matches = len(hinted & names) + (each.document.type == hints.doc_type)
        share = HINT_SHARE * matches + PREFERRED_SHARE * (each.document.type in prefers)
        score = each.signals.score + best * share
        return replace(each, signals=replace(each.signals, score=score))

    return sorted(map(boosted, found), key=lambda each: -each.signals.score)


def _best(scores: Sequence[float | None]) -> float | None:
    return max((score for score in scores if score is not None), default=None)


MOST_QUERIES = 4
# More words do not improve the results.
QUERY_TOKENS = 200


def queries(question: ResearchQuestion) -> tuple[str, ...]:
    """Return the distinct queries, the message itself first."""
    unique: dict[str, str] = {}
    for text in (question.message, question.standalone or "", *question.variants):
        query = cut(" ".join(text.split()), QUERY_TOKENS)
        if query:
            unique.setdefault(fold(query), query)
    return tuple(unique.values())[:MOST_QUERIES]


def in_thread(message: str, history: Sequence[str]) -> str | None:
    """Return the message with the each before it, for a message that depends on it."""
    previous = next((text for text in reversed(history) if text.strip()), None)
    return None if previous is None else f"{cut(previous, QUERY_TOKENS)}\n{message}"


# Results per query before fusion: twice the usual number.
WIDE = ResultCounts(6, 14)
# The best passages stay first if the rules search again for steps or a table. Chosen on the dev
# half of MTRAG-UN.
LEADING = 3
FAQ = "faq"
TOO_SLOW = SearchResults((), (INDEX_PART,))
FILTERS = {"steps": "has_steps", "conditions": "has_conditions", "table": "has_table"}


@dataclass(slots=True)
class _State:
    """Results so far, and the time that is left."""

    steps: TurnModelBudget
    pool: list[FoundPassage] = field(default_factory=list[FoundPassage])
    calls: list[LibraryCall] = field(default_factory=list[LibraryCall])
    degraded: list[str] = field(default_factory=list[str])
    consulted: bool = False
    most: int = 10

    @classmethod
    def after(cls, found: Findings, steps: TurnModelBudget) -> "_State":
        """Return the state to go on from earlier findings."""
        return cls(
            steps,
            list(found.considered),
            list(found.library_calls),
            list(found.degraded),
            consulted=found.consulted,
        )

    def timeout(self) -> float:
        """Return the seconds that the next library call may take."""
        return self.steps.step_left()

    def findings(self, assessment: Assessment) -> Findings:
        return Findings(
            ranked=chosen_passages(assessment, self.pool),
            considered=tuple(self.pool),
            confidence=assessment.confidence if self.pool else 0.0,
            is_sufficient=assessment.is_sufficient,
            missing=tuple(assessment.missing),
            consulted=self.consulted,
            library_calls=tuple(self.calls),
            degraded=tuple(dict.fromkeys(self.degraded)),
        )


class Research:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def find(
        self, caller: Caller, question: ResearchQuestion, steps: TurnModelBudget
    ) -> Findings:
        """Search, and search again for steps or a table that the results lack. Asks no model."""
        state = _State(steps)
        await self._search(caller, question, state)
        assessment = assess_by_rule(question, state.pool)
        for _ in range(min(question.calls, MOST_CALLS) - 1):
            if not await self._continue(caller, question, assessment, state, leading=LEADING):
                break
            assessment = assess_by_rule(question, state.pool)
        return state.findings(assessment)

    async def follow(
        self,
        caller: Caller,
        question: ResearchQuestion,
        found: Findings,
        assessment: Assessment,
        steps: TurnModelBudget,
    ) -> Findings:
        """Rank the findings as a model assessed them, and make the call that it asks for."""
        state = _State.after(found, steps)
        chosen = chosen_passages(assessment, state.pool)
        if len(state.calls) >= MOST_CALLS or not await self._continue(
            caller, question, assessment, state
        ):
            return state.findings(assessment)
        asked = assessment.refined_query or question.standalone or question.message
        by_rule = assess_by_rule(replace(question, message=asked), state.pool)
        known = _ids((*chosen, *chosen_passages(by_rule, state.pool)))
        ranked = [n for n, each in enumerate(state.pool) if each.passage.id in known]
        missing = assess_by_rule(question, state.pool).missing
        update = {
            "ranked_indices": ranked,
            "confidence": max(assessment.confidence, by_rule.confidence),
            "missing": missing,
            "is_sufficient": by_rule.is_sufficient and not missing,
        }
        return state.findings(by_rule.model_copy(update=update))

    async def _search(self, caller: Caller, question: ResearchQuestion, state: _State) -> None:
        """Search for all queries at once and fuse the results."""
        texts, start = queries(question), time.perf_counter()
        search = self._library.search_together(caller, texts, WIDE)
        results = await _or_timeout(search, state.timeout()) or [TOO_SLOW]
        state.pool = _best_of(results, question)
        state.most = results[0].usual.total
        state.consulted = any(each.consulted for each in results)
        state.degraded += [part for each in results for part in each.degraded]
        state.calls.append(LibraryCall.since(start, Tool.SEARCH_ALL, texts, len(state.pool)))

    async def _continue(
        self,
        caller: Caller,
        question: ResearchQuestion,
        assessment: Assessment,
        state: _State,
        leading: int = 0,
    ) -> bool:
        """Make the call that the assessment asks for; return whether it found anything new.

        The first `leading` passages stay above what another search finds.
        """
        if assessment.is_sufficient or assessment.next_action is None or not state.consulted:
            return False
        if state.timeout() <= 0:
            return False
        ranked = list(chosen_passages(assessment, state.pool))
        rest = [each for each in state.pool if each not in ranked]
        if assessment.next_action == "get_section" and ranked:
            new = await self._section(caller, ranked, state)
            state.pool = _unique([ranked[0], *new, *ranked[1:], *rest])
        else:
            query = assessment.refined_query or question.standalone or question.message
            new = await self._search_again(caller, query, assessment, ranked, state)
            state.pool = _unique([*ranked[:leading], *_interleave(ranked[leading:], new), *rest])
        return bool(new)

    async def _section(
        self, caller: Caller, ranked: Sequence[FoundPassage], state: _State
    ) -> list[FoundPassage]:
        """Read the section of the best passage; return what is not ranked yet."""
        start, section = time.perf_counter(), list[PassageLocation]()
        best = ranked[0]
        with suppress(NotFound, TimeoutError):
            async with asyncio.timeout(state.timeout()):
                section += await self._library.get_section(caller, best.passage.id)
        known = _ids(ranked)
        new = [FoundPassage.of(each) for each in section if each.passage.id not in known]
        ordinal = best.passage.ordinal
        new.sort(key=lambda each: (abs(each.passage.ordinal - ordinal), each.passage.ordinal))
        query = str(best.passage.id)
        state.calls.append(LibraryCall.since(start, Tool.GET_SECTION, [query], len(new)))
        return new

    async def _search_again(
        self,
        caller: Caller,
        query: str,
        assessment: Assessment,
        ranked: Sequence[FoundPassage],
        state: _State,
    ) -> list[FoundPassage]:
        """Search with the refined query, filtered by what was missing; return what is not ranked
        yet, in its new order."""
        start = time.perf_counter()
        filters: dict[str, object] = {
            FILTERS[missing]: True for missing in assessment.missing if missing in FILTERS
        }
        search = self._library.search(caller, query, count=state.most, **filters)
        results = await _or_timeout(search, state.timeout()) or TOO_SLOW
        known = _ids(ranked)
        new = [each for each in results.found if each.passage.id not in known]
        state.degraded += results.degraded
        tool = Tool.SEARCH_BY_METADATA if filters else Tool.SEARCH_ALL
        state.calls.append(LibraryCall.since(start, tool, [query], len(new), filters))
        return new


def _best_of(results: Sequence[SearchResults], question: ResearchQuestion) -> list[FoundPassage]:
    """Fuse the results of all queries, or return those of the message alone if its thread is about
    something else."""
    by_query, usual = [each.found for each in results], results[0].usual
    together = _pool(by_query, question, usual)
    if len(by_query) == 1:
        return together
    alone = _pool(by_query[:1], question, usual)
    return alone if hides(question.message, together, alone) else together


def _pool(
    searches: Sequence[Sequence[FoundPassage]], question: ResearchQuestion, usual: ResultCounts
) -> list[FoundPassage]:
    fused = fold_copies(favour(fuse(searches), question.hints, question.prefers))
    faq = [each for each in fused if each.document.type == FAQ]
    other = [each for each in fused if each.document.type != FAQ]
    return shares(faq, other, usual)


async def _or_timeout[T](search: Awaitable[T], seconds: float) -> T | None:
    """Return the result of a search, or None after a timeout."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await search
    return None


def _interleave(ranked: Sequence[FoundPassage], new: Sequence[FoundPassage]) -> list[FoundPassage]:
    """Alternate known and new passages, so that the next assessment sees both."""
    merged: list[FoundPassage] = []
    known, fresh = list(ranked), list(new)
    while known or fresh:
        merged += [side.pop(0) for side in (known, fresh) if side]
    return merged


def _ids(passages: Sequence[FoundPassage]) -> set[UUID]:
    return {each.passage.id for each in passages}


def _unique(passages: Sequence[FoundPassage]) -> list[FoundPassage]:
    """Return the passages without repetitions and copies, each where it is first."""
    unique = dict[UUID, FoundPassage]()
    for each in passages:
        unique.setdefault(each.passage.id, each)
    return fold_copies(list(unique.values()))

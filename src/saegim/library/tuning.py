"""Tunes a tenant's ranking weights on labelled or synthetic questions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.domain.errors import IndexMissing, Invalid, OptionalServiceDown
from saegim.library.index_ports import IndexPointer
from saegim.library.ranking_service import Rankings
from saegim.library.repository import PostgresLibrary
from saegim.library.service import Retrievers, under_headings
from saegim.library.synthetic_questions import chosen, made
from saegim.library.types import SearchFilter
from saegim.library.weight_fitting import LabelledQuestion, QuestionCandidates, TuningResult, tune


@dataclass(frozen=True, slots=True)
class Label:
    """A question and its answer: the id of a document or a passage."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Questions:
    """Usable questions, and the answers of labels that do not exist."""

    asked: Sequence[LabelledQuestion]
    unknown: Sequence[str] = ()


class RankingTuner:
    def __init__(
        self, documents: PostgresLibrary, retrievers: Retrievers, rankings: Rankings
    ) -> None:
        self._documents = documents
        self._retrievers = retrievers
        self._rankings = rankings

    async def labelled(self, tenant: UUID, labels: Sequence[Label]) -> Questions:
        """Resolve labelled questions; questions with the same text are merged."""
        collections = await self._documents.collections(tenant)
        by_text: dict[str, LabelledQuestion] = {}
        unknown: list[str] = []
        for label in labels:
            question = by_text.get(label.question, LabelledQuestion(label.question))
            passage = _as_id(label.answer)
            found = await self._documents.places(tenant, [passage] if passage else [], collections)
            document = await self._documents.document(tenant, label.answer, collections)
            if passage in found:
                question = replace(question, passages=question.passages | {passage})
            elif document is not None:
                question = replace(question, documents=question.documents | {document.id})
            else:
                unknown.append(label.answer)
                continue
            by_text[label.question] = question
        return Questions([_of_one_kind(each) for each in by_text.values()], unknown)

    async def make(self, tenant: UUID, count: int, seed: int) -> Questions:
        """Make questions from the tenant's passages; the same seed makes the same ones."""
        sample = chosen(await self._documents.passage_ids(tenant), count, seed)
        collections = await self._documents.collections(tenant)
        places = await self._documents.places(tenant, sample, collections)
        return Questions(made([places[each] for each in sample if each in places], seed))

    async def tune(self, tenant: UUID, questions: Sequence[LabelledQuestion]) -> TuningResult:
        """Fit weights to these questions, starting from the current ones. Raises Invalid."""
        serving = await self._documents.serving(tenant)
        where = SearchFilter(await self._documents.collections(tenant))
        cases = [await self._ask(tenant, serving.pointer, each, where) for each in questions]
        try:
            return await asyncio.to_thread(tune, cases, serving.ranking.weights)
        except ValueError as error:
            raise Invalid(str(error)) from error

    async def keep(self, tenant: UUID, tuned: TuningResult) -> bool:
        """Store the fitted weights if they are better; return whether they were stored."""
        ranking = await self._rankings.of_tenant(tenant)
        if not tuned.is_worth_it or ranking.weights != tuned.weights:
            return False
        await self._rankings.store(tenant, replace(ranking, weights=tuned.fitted))
        return True

    async def _ask(
        self, tenant: UUID, pointer: IndexPointer, question: LabelledQuestion, where: SearchFilter
    ) -> QuestionCandidates:
        [query], degraded = await self._retrievers.prepare([question.text], pointer)
        if degraded:
            # Weights fitted without similarities would give them no weight.
            raise OptionalServiceDown(degraded[0])
        try:
            [candidates] = await self._retrievers.candidates(tenant, pointer, [query], where)
        except IndexMissing as missing:
            raise OptionalServiceDown("index") from missing
        passages = [each.passage for each in candidates]
        places = await self._documents.places(tenant, passages, where.collections)
        return QuestionCandidates(
            question,
            [each for each in candidates if each.passage in places],
            {passage: under_headings(place) for passage, place in places.items()},
            {passage: place.document.id for passage, place in places.items()},
        )


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _of_one_kind(question: LabelledQuestion) -> LabelledQuestion:
    """Keep only the passages if a question has passages and documents as answers."""
    return replace(question, documents=frozenset()) if question.passages else question

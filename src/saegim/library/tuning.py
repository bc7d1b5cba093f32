"""Tunes a tenant's ranking: questions, the candidates of each, the best weights, kept if asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.domain.errors import IndexMissing, Invalid, OptionalServiceDown
from saegim.library.index_ports import IndexPointer
from saegim.library.ranking_service import PostgresRankings
from saegim.library.repository import PostgresLibrary
from saegim.library.service import Retrievers, under_headings
from saegim.library.synthetic_questions import chosen, made
from saegim.library.types import SearchFilter
from saegim.library.weight_fitting import LabelledQuestion, QuestionCandidates, TuningResult, tune


@dataclass(frozen=True, slots=True)
class Label:
    """One line of a list of labelled questions: what answers it, a document's id or a passage's."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Questions:
    """What can be asked, and which labels name nothing that is there."""

    asked: Sequence[LabelledQuestion]
    unknown: Sequence[str] = ()


class RankingTuner:
    def __init__(
        self, documents: PostgresLibrary, arms: Retrievers, rankings: PostgresRankings
    ) -> None:
        self._documents = documents
        self._arms = arms
        self._rankings = rankings

    async def labelled(self, tenant: UUID, labels: Sequence[Label]) -> Questions:
        """Questions as somebody wrote them down, those with the same text as one."""
        collections = await self._documents.collections(tenant)
        asked: dict[str, LabelledQuestion] = {}
        unknown: list[str] = []
        for label in labels:
            known = asked.get(label.question, LabelledQuestion(label.question))
            passage = _as_id(label.answer)
            found = await self._documents.places(tenant, [passage] if passage else [], collections)
            document = await self._documents.document(tenant, label.answer, collections)
            if passage in found:
                known = replace(known, passages=known.passages | {passage})
            elif document is not None:
                known = replace(known, documents=known.documents | {document.id})
            else:
                unknown.append(label.answer)
                continue
            asked[label.question] = known
        return Questions([_of_one_kind(question) for question in asked.values()], unknown)

    async def make(self, tenant: UUID, count: int, seed: int) -> Questions:
        """Questions made from the tenant's own passages; the same seed makes the same ones."""
        wanted = chosen(await self._documents.passage_ids(tenant), count, seed)
        collections = await self._documents.collections(tenant)
        places = await self._documents.places(tenant, wanted, collections)
        return Questions(made([places[one] for one in wanted if one in places], seed))

    async def tune(self, tenant: UUID, questions: Sequence[LabelledQuestion]) -> TuningResult:
        """The best weights for these questions, beginning with those in use. Raises Invalid."""
        serving = await self._documents.serving(tenant)
        where = SearchFilter(await self._documents.collections(tenant))
        asked = [await self._ask(tenant, serving.pointer, one, where) for one in questions]
        try:
            return await asyncio.to_thread(tune, asked, serving.ranking.weights)
        except ValueError as error:
            raise Invalid(str(error)) from error

    async def keep(self, tenant: UUID, tuned: TuningResult) -> bool:
        """Ranks with the fitted weights from now on, unless they are not worth it."""
        ranking = await self._rankings.ranking(tenant)
        if not tuned.is_worth_it or ranking.weights != tuned.weights:
            return False
        await self._rankings.set_ranking(tenant, replace(ranking, weights=tuned.fitted))
        return True

    async def _ask(
        self, tenant: UUID, pointer: IndexPointer, question: LabelledQuestion, where: SearchFilter
    ) -> QuestionCandidates:
        [query], degraded = await self._arms.prepare([question.text], pointer)
        if degraded:
            # Weights that were fitted without similarity would give it none.
            raise OptionalServiceDown(degraded[0])
        try:
            [candidates] = await self._arms.candidates(tenant, pointer, [query], where)
        except IndexMissing as missing:
            raise OptionalServiceDown("index") from missing
        passages = [one.passage for one in candidates]
        places = await self._documents.places(tenant, passages, where.collections)
        return QuestionCandidates(
            question,
            [one for one in candidates if one.passage in places],
            {passage: under_headings(place) for passage, place in places.items()},
            {passage: place.document.id for passage, place in places.items()},
        )


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _of_one_kind(question: LabelledQuestion) -> LabelledQuestion:
    """Of passages and documents as answers the passages count: they say more."""
    return replace(question, documents=frozenset()) if question.passages else question

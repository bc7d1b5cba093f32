"""Feedback on answers, and the questions that had none."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.types import (
    Feedback,
    QuestionCluster,
    UnansweredQuestion,
    UnansweredReport,
)
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller, Scope
from saegim.text.analysis import query_terms
from saegim.text.masking_pool import MaskWorkers
from saegim.usage.repository import PostgresUsage

# A term is shown only if this many people used it.
FEWEST_PEOPLE = 3
MOST_TERMS = 5


def clustered(questions: Sequence[UnansweredQuestion]) -> tuple[QuestionCluster, ...]:
    """Return clusters of questions that share terms, those of most people first.

    Each question is in one cluster at most; questions without shared terms are in none."""
    terms = {each.turn: _words(each.question) for each in questions}
    left = list(questions)
    clusters: list[QuestionCluster] = []
    while shared := _shared_terms(left, terms):
        centre = shared[0]
        members = [each for each in left if centre in terms[each.turn]]
        left = [each for each in left if centre not in terms[each.turn]]
        clusters.append(
            QuestionCluster(
                terms=tuple(_shared_terms(members, terms)[:MOST_TERMS]),
                people=len({each.member for each in members}),
                turns=tuple(each.turn for each in members),
                last_at=max(each.at for each in members),
            )
        )
    return tuple(clusters)


def _shared_terms(
    questions: Iterable[UnansweredQuestion], terms: dict[UUID, set[str]]
) -> list[str]:
    """Return the terms that enough people used, those of most people first."""
    people: defaultdict[str, set[UUID]] = defaultdict(set)
    for each in questions:
        for term in terms[each.turn]:
            people[term].add(each.member)
    enough = [term for term, of in people.items() if len(of) >= FEWEST_PEOPLE]
    return sorted(enough, key=lambda term: (-len(people[term]), -len(term), term))


def _words(question: str) -> set[str]:
    """Return the words of a question as stems, without the bigrams of Korean words."""
    terms = query_terms(question)
    whole = {term.removeprefix("_") for term in terms if term.startswith("_") or term.isascii()}
    return {word for word in whole if len(word) > 1}


# Questions this old can still be marked as answered.
MOST_DAYS = 3650


@dataclass(frozen=True, eq=False)
class FeedbackService:
    store: PostgresFeedback
    masking: MaskWorkers
    clock: Clock
    usage: PostgresUsage

    async def give(self, scope: Scope, turn: UUID, feedback: Feedback) -> Feedback:
        """Store a thumb and a correction; the correction is masked like a message."""
        if feedback.correction is not None:
            await self.store.require_turn(scope, turn)
            [masked] = await self.masking.mask([feedback.correction])
            feedback = replace(feedback, correction=masked.text)
        await self.store.save(scope, turn, feedback)
        return feedback

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        return await self.store.find(scope, turn)

    async def unanswered(self, caller: Caller, days: int, most: int) -> UnansweredReport:
        """Return the assistant's unanswered and badly rated questions.

        Only shared questions are in words; the others are clusters of several people. Raises
        PermissionDenied for members.
        """
        require(caller, Permission.EDIT_ASSISTANTS)
        since, tenant = self.clock.now() - timedelta(days=days), caller.scope.tenant
        found = await self.store.unanswered(tenant, caller.assistant, since, most)
        shared = tuple(each for each in found if each.shared)
        others = [each for each in found if not each.shared]
        total = await self.usage.count_unanswered(tenant, caller.assistant, since)
        return UnansweredReport(shared, clustered(others), total)

    async def mark_answered(
        self, caller: Caller, turn: UUID | None, terms: Sequence[str], most: int
    ) -> None:
        """Take a question, or the cluster with these terms, off the list."""
        require(caller, Permission.EDIT_ASSISTANTS)
        turns = [] if turn is None else [turn]
        if terms:
            clusters = (await self.unanswered(caller, MOST_DAYS, most)).clusters
            chosen = [each for each in clusters if list(each.terms) == list(terms)]
            turns += [turn for cluster in chosen for turn in cluster.turns]
        if turns:
            await self.usage.mark_answered(caller.scope.tenant, caller.assistant, turns)

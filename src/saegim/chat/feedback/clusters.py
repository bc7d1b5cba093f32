"""Cluster questions so that nothing shows what one person wrote."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from saegim.chat.feedback.types import QuestionCluster, UnansweredQuestion
from saegim.text.analysis import query_terms

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

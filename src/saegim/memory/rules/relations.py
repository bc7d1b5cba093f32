"""Rule-based fallback of the reconciliation: relate a statement to records."""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from saegim.memory.rules.attributes import ATTRIBUTES, Cardinality, Claim
from saegim.memory.rules.clauses import clauses
from saegim.memory.rules.extractor import all_claims, first_claim
from saegim.memory.types import MemoryType
from saegim.text import analysis

_SAME = 0.85
# Share of the words of a statement that another one has if it may say the same.
_ALIKE = 0.5
_COUNT = re.compile(
    r"(?:한|두|세|네|다섯|여섯|\d+)\s?(?:마리|명|대|개)|\b(?:one|two|three|four|five|six|\d+)\b|"
    r"\b(?:a|an|the|my|our)\b",
    re.IGNORECASE,
)
_NOT_THIS = re.compile(
    r"\bnot\s+(?:(?:to|for|on|in|at|with|by)\s+)?(?P<en>[\w'’ -]{2,40})"
    r"|(?P<ko>[가-힣\w ]{1,30}?)(?:이|가)?\s?(?:아니라|아니고|말고)(?=\s)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[가-힣]+|[a-z]+")
_LISTED = re.compile(r"[,;]\s+(?!\d)|\sand\s|이?랑\s|와\s", re.IGNORECASE)
_DAYS = re.compile(r"\s\((\d{4}[\d/, -]*)\)$")
_MARKS = re.compile(r"[\s.,!~'\"“”‘’()?]+")
_LABELS = {name: each for each in ATTRIBUTES.values() for name in each.names.values()}
_PAST_EVENTS = ("event", "milestone", "plan", "schedule", "todo", "note", "decision")


class Relation(StrEnum):
    """Relation of a statement to a record."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REFINES = "refines"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"


def says_the_same(one: str, other: str) -> bool:
    """Return whether two statements are equal but for spaces, punctuation and case."""
    return _normalised(one) == _normalised(other)


def may_repeat(statement: str, known: str) -> bool:
    """Return whether a record has so many words of a statement that it may say the same."""
    words = analysis.word_keys(statement)
    return len(words & analysis.word_keys(known)) > _ALIKE * len(words)


def by_rule(statement: str, known: Sequence[str]) -> tuple[Relation, int | None]:
    """Return the first relation that is not new, and the index of its record.

    A record that states several things stays as it is: a correction ends only what it corrects.
    """
    for index, content in enumerate(known):
        relation = relation_of(statement, content)
        if relation is Relation.DUPLICATE or (relation is not Relation.NEW and states_one(content)):
            return relation, index
    return Relation.NEW, None


def relation_of(statement: str, known: str) -> Relation:
    """Relate a statement to one record."""
    if says_the_same(statement, known):
        return Relation.DUPLICATE
    new, old = _claim(statement), _claim(known)
    if new is not None and old is not None and new.attribute is old.attribute:
        relation = _relate(new, old)
        instead = relation is Relation.NEW and _denies(statement, new, old)
        if relation is Relation.NEW and not instead and _rejects(statement, known):
            return Relation.SUPERSEDES
        return _taken_back(new) if instead else relation
    if _overlap(statement, known) >= _SAME:
        return Relation.DUPLICATE
    return Relation.SUPERSEDES if _rejects(statement, known) else Relation.NEW


def states_one(content: str) -> bool:
    """Return whether a record states one thing, so that a correction may end or rewrite it."""
    text, values = _NOT_THIS.sub("", _DAYS.sub("", content)), dict[str, str]()
    for clause in clauses(text):
        for claim in all_claims(clause.text, analysis.language(clause.text), last=clause.last):
            text = text.replace(claim.value, claim.value.replace(",", " "))
            if not any(known in claim.value or claim.value in known for known in values.values()):
                values.setdefault(claim.attribute.slug, claim.value)
    parts = [part for clause in clauses(text) for part in _LISTED.split(clause.text)]
    return len(values) <= 1 and sum(bool(analysis.word_keys(part)) for part in parts) <= 1


def rejected(statement: str) -> list[str]:
    """Return the values that a statement says are wrong: 판교 말고 정자, not Thursdays."""
    found = (match["en"] or match["ko"].strip() for match in _NOT_THIS.finditer(statement))
    # What stands before a Korean value is its subject: 손녀 이름은 서윤이 아니라.
    return [value if value.isascii() else value.split()[-1] for value in found if value]


def _rejects(statement: str, known: str) -> bool:
    """Return whether a statement says that a word of a record is wrong."""
    content = analysis.word_keys(known)
    return any(words and words <= content for words in map(analysis.word_keys, rejected(statement)))


def _relate(new: Claim, old: Claim) -> Relation:
    if not _same_subject(new, old):
        return Relation.NEW
    many = new.attribute.hold is Cardinality.MANY
    same = _compare(_words(new.value, counted=not many), _words(old.value, counted=not many))
    if new.attribute.slug in _PAST_EVENTS:
        return _relate_events(new, old, same)
    match new.attribute.hold:
        case Cardinality.MANY:
            return _relate_many(new, old, same)
        case Cardinality.ONE | Cardinality.FIXED:
            return _relate_single(new, old, same)


def _relate_single(new: Claim, old: Claim, same: Relation | None) -> Relation:
    if same is not None and new.negated == old.negated:
        return same
    if new.negated and same is None:
        return Relation.NEW
    settled = new.corrects or new.negated or new.attribute.hold is Cardinality.ONE
    return Relation.SUPERSEDES if settled else Relation.CONTRADICTS


def _relate_many(new: Claim, old: Claim, same: Relation | None) -> Relation:
    if same is None:
        return Relation.NEW
    if new.negated != old.negated:
        return _taken_back(new)
    counts = _counts(new.value), _counts(old.value)
    if all(counts) and counts[0] != counts[1]:
        return Relation.SUPERSEDES
    return same


def _taken_back(new: Claim) -> Relation:
    """Return SUPERSEDES, or CONTRADICTS for an allergy, whose end must be explicit."""
    lasting = new.attribute.slug == "allergy" and not _ENDED.search(new.value)
    return Relation.CONTRADICTS if lasting and not new.corrects else Relation.SUPERSEDES


def _denies(statement: str, new: Claim, old: Claim) -> bool:
    """Return whether a statement denies the other value: tea, not coffee."""
    known = _words(old.value, counted=False)
    return _same_subject(new, old) and any(
        known and known <= _words(match["en"] or match["ko"], counted=False)
        for match in _NOT_THIS.finditer(statement)
    )


def _relate_events(new: Claim, old: Claim, same: Relation | None) -> Relation:
    """Relate events: each is new, unless cancelled or repeated."""
    if new.negated and not old.negated and _overlap(new.value, old.value) >= 0.3:
        return Relation.SUPERSEDES
    return same or Relation.NEW


_ENDED = re.compile(r"나았|완치|사라|outgrew|no longer")


def _compare(new: set[str], old: set[str]) -> Relation | None:
    """Compare two values by their words: a longer one refines, a part of it repeats."""
    if not new or not old:
        return None
    if new > old:
        return Relation.REFINES
    return Relation.DUPLICATE if new <= old else None


def _words(value: str, *, counted: bool) -> set[str]:
    """Return the stems of a value; without numbers unless `counted`."""
    plain = analysis.fold(value)
    plain = plain if counted else _COUNT.sub(" ", plain)
    return {_stem(word) for word in _MARKS.split(plain) if word}


def _stem(word: str) -> str:
    return analysis.index_terms(word)[-1] if _PLAIN.fullmatch(word) else word


def _counts(value: str) -> list[str]:
    return re.findall(r"\d+|한|두|세|네|다섯|one|two|three|four|five", analysis.fold(value))


def _same_subject(new: Claim, old: Claim) -> bool:
    one, other = set(new.subject.split()), set(old.subject.split())
    return one == other or bool(one and other and (one <= other or other <= one))


def _claim(statement: str) -> Claim | None:
    """Return the first claim of a statement; the days behind an appointment are part of its value.

    "My deadline is Friday (2026-11-20)" and "(2026-11-27)" differ.
    """
    days = _DAYS.search(statement)
    text = statement if days is None else statement[: days.start()]
    label, _, value = text.partition(": ")
    if value and label in _LABELS:
        return Claim(_LABELS[label], "", value)
    for clause in clauses(text):
        claim = first_claim(clause.text, analysis.language(clause.text), last=clause.last)
        if claim is not None and days is not None and claim.attribute.type is MemoryType.TIMELINE:
            return replace(claim, value=f"{claim.value} {days[1]}")
        if claim is not None:
            return claim
    return None


def _overlap(one: str, other: str) -> float:
    left, right = set(analysis.index_terms(one)), set(analysis.index_terms(other))
    return len(left & right) / len(left | right) if left and right else 0.0


def _normalised(text: str) -> str:
    return _MARKS.sub("", analysis.fold(text))

"""Whether evidence bears a text out, by code alone: what a model says of itself is not enough."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from saegim.domain.evidence import MARKER, Evidence
from saegim.text.analysis import fold, index_terms, query_terms, sentences

LEAST_COVERAGE = 0.5
# A sentence is borne out when the evidence has this much of its words.
_BORNE_OUT = 0.5
_SHORT = 4
_SAME_SUBJECT = 0.6
_READ_SENTENCES = 60

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
# Counting and dating small things needs no source: "2 ways", "first of 3".
_SMALLEST = 10


@dataclass(frozen=True, slots=True)
class Check:
    """What an independent look at a text found."""

    coverage: float
    unsupported_numbers: tuple[str, ...]
    unknown_markers: tuple[str, ...]
    conflict: bool
    cites: bool

    @property
    def passed(self) -> bool:
        return (
            self.coverage >= LEAST_COVERAGE
            and not self.unsupported_numbers
            and not self.unknown_markers
            and not self.conflict
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"passed": self.passed}


def check(text: str, evidence: Mapping[str, Evidence], message: str) -> Check:
    """Check the text's coverage, numbers and markers, and whether what it cites conflicts."""
    sources = [*(one.text for one in evidence.values()), message]
    markers = set(MARKER.findall(text))
    return Check(
        coverage=coverage(MARKER.sub("", text), sources),
        unsupported_numbers=tuple(unsupported(MARKER.sub("", text), sources)),
        unknown_markers=tuple(sorted(markers - set(evidence))),
        conflict=conflicts([evidence[one] for one in sorted(markers & set(evidence))], message),
        cites=bool(markers & set(evidence)),
    )


def coverage(text: str, sources: Iterable[str]) -> float:
    """The share of the text's sentences whose words mostly stand in the sources."""
    known = {term for source in sources for term in index_terms(source)}
    judged = [terms for terms in map(query_terms, sentences(text)) if len(terms) >= _SHORT]
    if not judged:
        return 1.0
    borne = [sum(term in known for term in terms) / len(terms) >= _BORNE_OUT for terms in judged]
    return sum(borne) / len(borne)


def unsupported(text: str, sources: Iterable[str]) -> list[str]:
    """Numbers of the text that no source has."""
    known = {_plain(number) for source in sources for number in _NUMBER.findall(fold(source))}
    return [
        number
        for number in dict.fromkeys(_NUMBER.findall(fold(text)))
        if _plain(number) not in known and not _is_small(number)
    ]


def conflicts(passages: Sequence[Evidence], message: str) -> bool:
    """Whether two documents say the same thing with different numbers."""
    wanted = set(query_terms(message))
    said: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for one in passages:
        for sentence in sentences(one.text):
            numbers = frozenset(map(_plain, _NUMBER.findall(fold(sentence))))
            words = frozenset(t for t in index_terms(sentence) if not t[0].isdigit())
            if numbers and words & wanted:
                said.append((one.document or one.id, words, numbers))
    return any(
        a[0] != b[0] and not a[2] & b[2] and len(a[1] & b[1]) >= _SAME_SUBJECT * len(a[1] | b[1])
        for a, b in combinations(said[:_READ_SENTENCES], 2)
    )


def _plain(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _is_small(number: str) -> bool:
    plain = _plain(number)
    return plain.isdigit() and int(plain) <= _SMALLEST

"""Find the place in its file that a citation means: the page or row of the line it repeats."""

import re

from saegim.chat.types import MARKER, Evidence
from saegim.library.types import Locator
from saegim.text.analysis import index_terms, sentences

_TABLE_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


def cited_place(evidence: Evidence, answer: str) -> Locator | None:
    """Return the place of the line that the answer repeats most of; the first if it is none."""
    if evidence.locator is None:
        return None
    terms = set(index_terms(_cited_sentence(evidence.marker, answer)))
    best, place = 0, 0
    for start, line in _lines(evidence.text):
        shared = len(terms & set(index_terms(line)))
        if shared > best:
            best, place = shared, start
    return evidence.locator.at(evidence.text, place)


def _cited_sentence(marker: str, answer: str) -> str:
    """Return the sentence before the first mark; the whole answer without one."""
    before, mark, _ = answer.partition(f"[{marker}]")
    found = sentences(MARKER.sub("", before).strip())
    return found[-1] if mark and found else answer


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines with their offsets, without the headers of tables."""
    found: list[tuple[int, str]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        if _TABLE_RULE.fullmatch(line.strip()):
            found[-1:] = []
        else:
            found.append((at, line))
        at += len(line)
    return found

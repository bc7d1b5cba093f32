"""Find the place in its file that a citation means: the page or row of the line it repeats."""

import re
from collections.abc import Sequence
from dataclasses import replace

from saegim.chat.types import MARKER, Evidence
from saegim.library.types import Locator
from saegim.text.analysis import index_terms, sentences

_TABLE_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


def cited_place(evidence: Evidence, answer: str) -> Locator | None:
    """Return the place of the line that the answer repeats most of; the first if it is none.

    If sentences repeat lines of several pages or slides, it is the range of them. A sentence that
    repeats less than half as much as another one, as a heading does, does not widen it.
    """
    whole = evidence.locator
    if whole is None:
        return None
    lines = [(at, set(index_terms(line))) for at, line in _lines(evidence.text)]
    repeated = [
        _repeated_line(set(index_terms(sentence)), lines)
        for sentence in _cited_sentences(evidence.marker, answer)
    ]
    most = max(shared for shared, _ in repeated)
    at = sorted(at for shared, at in repeated if 2 * shared >= most) if most else [0]
    places = [whole.at(evidence.text, each) for each in at]
    first, last = places[0], places[-1].number or 0
    return first if last == (first.number or 0) else replace(first, breaks=((0, last),))


def _repeated_line(terms: set[str], lines: Sequence[tuple[int, set[str]]]) -> tuple[int, int]:
    """Return how many terms a sentence shares with the line it repeats, and its offset."""
    shared, at = max(((len(terms & words), -at) for at, words in lines), default=(0, 0))
    return shared, -at


def _cited_sentences(marker: str, answer: str) -> list[str]:
    """Return the sentence before each mark; the whole answer without one."""
    *before, _ = answer.split(f"[{marker}]")
    found = (sentences(MARKER.sub("", text).strip()) for text in before)
    return [each[-1] for each in found if each] or [answer]


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

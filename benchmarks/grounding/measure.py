"""Attribute answers and compare the markers with the passages that hold them."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.grounding.cases import GroundingCase
from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.support import EvidenceSupport, EvidenceText
from saegim.chat.types import MARKER
from saegim.text.analysis import fold

# As a provider streams: a few characters at a time.
PIECE = 4
GOALS = {"right_citation": 0.85, "unanswerable_marked": 0.80, "wrongly_marked": 0.05}


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer as it is shown, and the processor time that attributing it took."""

    case: GroundingCase
    written: str
    shown: str
    unknown: tuple[str, ...]
    took_ms: float

    @property
    def is_right(self) -> bool:
        return _plain(self.case.expected) in _plain(self.written)

    @property
    def cites_right(self) -> bool:
        """Whether it cites, and only passages that hold the answer."""
        cited = set(MARKER.findall(self.shown))
        return bool(cited) and cited <= self.case.gold

    @property
    def is_marked(self) -> bool:
        """Whether a sentence is marked, or nothing is cited: then a note stands below it, and a
        strict assistant withholds it."""
        return bool(self.unknown) or not MARKER.search(self.shown)


def attribute(case: GroundingCase, written: str) -> JudgedAnswer:
    """Attribute an answer as it streams."""
    began = time.process_time()
    support = EvidenceSupport([EvidenceText.of(each) for each in case.evidence], case.question)
    attribution = Attribution(support)
    pieces = [written[at : at + PIECE] for at in range(0, len(written), PIECE)]
    shown = "".join(map(attribution.feed, pieces)) + attribution.close()
    unknown = tuple(support.still_unknown(attribution.unknown))
    return JudgedAnswer(case, written, shown, unknown, (time.process_time() - began) * 1000)


def figures(answers: Sequence[JudgedAnswer]) -> dict[str, float]:
    """Return the shares; those of answerable questions are of right answers."""
    right = [each for each in answers if each.case.is_answerable and each.is_right]
    unanswerable = [each for each in answers if not each.case.is_answerable]
    return {
        "right_citation": fmean(each.cites_right for each in right) if right else 0.0,
        "wrongly_marked": fmean(each.is_marked for each in right) if right else 0.0,
        "wrong_attribution": _wrong_attribution(answers),
        "unanswerable_marked": fmean(each.is_marked for each in unanswerable),
        "answerable": float(sum(each.case.is_answerable for each in answers)),
        "right": float(len(right)),
        "unanswerable": float(len(unanswerable)),
    }


def _wrong_attribution(answers: Sequence[JudgedAnswer]) -> float:
    """Return the share of added markers whose passage does not hold the answer."""
    added = [
        (each, marker)
        for each in answers
        for marker in (Counter(MARKER.findall(each.shown)) - Counter(MARKER.findall(each.written)))
    ]
    wrong = [marker for each, marker in added if marker not in each.case.gold or not each.is_right]
    return len(wrong) / len(added) if added else 0.0


def missed(found: dict[str, float]) -> list[str]:
    """Return the goals that figures miss."""
    return [
        name
        for name, goal in GOALS.items()
        if (found[name] > goal if name == "wrongly_marked" else found[name] < goal)
    ]


def _plain(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalnum())

"""Makes test questions from passages, for tenants without labelled questions.

Each kind leaves something out: a heading without the text, a sentence without a third of its words,
a few rare words without their order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from random import Random
from uuid import UUID

from saegim.library.types import PassageLocation
from saegim.library.weight_fitting import LabelledQuestion

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WORD = re.compile(r"\w+")
# The share of a sentence's words that is left out, and the fewest words it must have.
_LEFT_OUT = 0.35
_FEWEST = 4
_RARE_WORDS = 4


def chosen(passages: Iterable[UUID], count: int, seed: int) -> list[UUID]:
    """Sample passages; the same seed chooses the same ones."""
    return sorted(passages, key=lambda each: sha256(f"{seed}:{each}".encode()).digest())[:count]


def made(places: Sequence[PassageLocation], seed: int) -> list[LabelledQuestion]:
    """Make a question from each passage if possible, the kinds in turn, without duplicates."""
    counts = Counter(word for place in places for word in set(_words(place.passage.text)))
    questions: dict[str, LabelledQuestion] = {}
    for number, place in enumerate(places):
        chance = Random(f"{seed}:{place.passage.id}")  # noqa: S311 - a sample, nothing secret
        kinds = (_heading, _sentence, _rare_words)
        question = kinds[number % len(kinds)](place, counts, chance)
        question = question or _rare_words(place, counts, chance)
        if question is not None:
            questions.setdefault(question.text, question)
    return list(questions.values())


def _heading(
    place: PassageLocation,
    counts: Mapping[str, int],  # noqa: ARG001
    chance: Random,  # noqa: ARG001
) -> LabelledQuestion | None:
    """Ask for a document by title and heading."""
    headings = filter(None, (place.document.title, *place.path[-1:]))
    text = " ".join(dict.fromkeys(" ".join(headings).split()))
    if len(_words(text)) < 2:
        return None
    return LabelledQuestion(text, documents=frozenset({place.document.id}))


def _sentence(
    place: PassageLocation, counts: Mapping[str, int], chance: Random
) -> LabelledQuestion | None:
    """Ask with the sentence of the rarest words, without a third of them."""
    sentences = [part.split() for part in _SENTENCE.split(place.passage.text)]
    long = [words for words in sentences if len(words) >= _FEWEST]
    if not long:
        return None
    best = max(long, key=lambda words: sum(1 / counts.get(word, 1) for word in _words(*words)))
    size = max(_FEWEST - 1, round(len(best) * (1 - _LEFT_OUT)))
    text = " ".join(best[at] for at in sorted(chance.sample(range(len(best)), size)))
    return LabelledQuestion(text, passages=frozenset({place.passage.id}))


def _rare_words(
    place: PassageLocation, counts: Mapping[str, int], chance: Random
) -> LabelledQuestion | None:
    """Ask with the rarest words of the passage, in any order."""
    words = list(dict.fromkeys(_words(place.passage.text)))
    rarest = sorted(words, key=lambda word: (counts[word], -len(word), word))[: _RARE_WORDS * 2]
    if len(rarest) < _RARE_WORDS - 1:
        return None
    sample = chance.sample(rarest, min(_RARE_WORDS, len(rarest)))
    return LabelledQuestion(" ".join(sample), passages=frozenset({place.passage.id}))


def _words(*texts: str) -> list[str]:
    return [word for text in texts for word in _WORD.findall(text) if len(word) > 1]

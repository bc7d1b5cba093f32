"""Questions made from passages, where nobody has written any down: the twin of a person who asks.

Each kind leaves something out, so that finding the passage is not mere copying: a heading without
the text, a sentence without a third of its words, a few telling words without their order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from random import Random
from uuid import UUID

from saegim.library.index_ports import PassageLocation
from saegim.library.weight_fitting import LabelledQuestion

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WORD = re.compile(r"\w+")
# Of a sentence's words, how many are left out, and how few it must have.
_LEFT_OUT = 0.35
_FEWEST = 4
_TELLING = 4


def chosen(passages: Iterable[UUID], count: int, seed: int) -> list[UUID]:
    """Some of the passages, by chance, the same for the same seed whatever else there is."""

    def place(passage: UUID) -> bytes:
        return sha256(f"{seed}:{passage}".encode()).digest()

    return sorted(passages, key=place)[:count]


def made(places: Sequence[PassageLocation], seed: int) -> list[LabelledQuestion]:
    """One question for each passage that gives one, the kinds in turn; no question twice."""
    seen = Counter(word for place in places for word in set(_words(place.passage.text)))
    questions: dict[str, LabelledQuestion] = {}
    for number, place in enumerate(places):
        chance = Random(f"{seed}:{place.passage.id}")  # noqa: S311 - a sample, nothing secret
        kinds = (_heading, _sentence, _telling)
        question = kinds[number % len(kinds)](place, seen, chance) or _telling(place, seen, chance)
        if question is not None:
            questions.setdefault(question.text, question)
    return list(questions.values())


def _heading(
    place: PassageLocation,
    seen: Mapping[str, int],  # noqa: ARG001
    chance: Random,  # noqa: ARG001
) -> LabelledQuestion | None:
    """Title and heading; they name a document rather than one of its passages."""
    named = [part for part in (place.document.title, *place.section.path[-1:]) if part]
    text = " ".join(dict.fromkeys(" ".join(named).split()))
    if len(_words(text)) < 2:
        return None
    return LabelledQuestion(text, documents=frozenset({place.document.id}))


def _sentence(
    place: PassageLocation, seen: Mapping[str, int], chance: Random
) -> LabelledQuestion | None:
    """The sentence with the rarest words, with a third of them left out."""
    sentences = [part.split() for part in _SENTENCE.split(place.passage.text)]
    whole = [words for words in sentences if len(words) >= _FEWEST]
    if not whole:
        return None
    best = max(whole, key=lambda words: sum(1 / seen.get(word, 1) for word in _words(*words)))
    left = max(_FEWEST - 1, round(len(best) * (1 - _LEFT_OUT)))
    kept = sorted(chance.sample(range(len(best)), left))
    return LabelledQuestion(
        " ".join(best[at] for at in kept), passages=frozenset({place.passage.id})
    )


def _telling(
    place: PassageLocation, seen: Mapping[str, int], chance: Random
) -> LabelledQuestion | None:
    """The rarest words of the passage, in any order."""
    words = list(dict.fromkeys(_words(place.passage.text)))
    rarest = sorted(words, key=lambda word: (seen[word], -len(word), word))[: _TELLING * 2]
    if len(rarest) < _TELLING - 1:
        return None
    picked = chance.sample(rarest, min(_TELLING, len(rarest)))
    return LabelledQuestion(" ".join(picked), passages=frozenset({place.passage.id}))


def _words(*texts: str) -> list[str]:
    return [word for text in texts for word in _WORD.findall(text) if len(word) > 1]

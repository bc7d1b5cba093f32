"""Judge what kind of message a person sends: small linear classifiers over the bundled embedder.

Their inputs are the vector of a text and its n-grams, hashed. `scripts/offline_heads.py` trains
them on `examples.toml`, which anybody can extend. In doubt a message is a question: it is searched
for.
"""

import asyncio
import hashlib
import io
import logging
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import Embedder
from saegim.text.analysis import sentences
from saegim.text.own_words import BREAK, own_words
from saegim.text.questions import LONGEST_QUESTION

EXAMPLES, WEIGHTS = "examples.toml", "heads.npz"
FOLDER = files("saegim.offline")
SECONDS = 5.0
# Longer messages may be pasted texts: they are searched for.
LONGEST, MOST_SENTENCES = 400, 8
# A whole message may be less clear than the sentence that asks, by this much (log odds).
_MARGIN = 1.0
# Nothing is noted of what may be a request to memory.
_MAY_ASK = 0.25
# As many sentences beside a task for a model may be notes.
_MOST_BESIDE = 2
NGRAMS, _SIZES = 16_384, (2, 3, 4)
_BIAS = 0.3
# What is surely small talk, and what may be quoted as a statement.
_IDLE, _MAY_TELL = 0.9, 0.4
_WORD = re.compile(r"\w+")
_ASKS, _BESIDE_QUESTION = re.compile(r"[?？]\W*$"), 0.25
_CLAUSE_END = re.compile(r"[,;]\s+")
_BEHIND_COLON = re.compile(r"[:：]\s.*")

_log = logging.getLogger(__name__)


class MessageKind(StrEnum):
    """What a message is. `examples.toml` has examples of each."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    IDENTITY = "identity"
    REMARK = "remark"
    COMPLAINT = "complaint"
    STATEMENT = "statement"
    FORGET = "forget"
    LEAVE_OUT = "leave_out"
    UNDO = "undo"
    ABOUT_SELF = "about_self"
    PROFILE = "profile"
    HISTORY = "history"
    NEEDS_MODEL = "needs_model"
    EARLIER_DOCUMENT = "earlier_document"
    QUESTION = "question"

    @property
    def searches(self) -> bool:
        """Whether the answer is looked for in documents and memory."""
        return self in _SEARCHED

    @property
    def may_name_document(self) -> bool:
        """Whether such a message may be or quote the heading of a document, which answers it."""
        return self in _MAY_NAME_DOCUMENT

    @property
    def tells_nothing(self) -> bool:
        """Whether there is nothing to look up or to remember in it."""
        return self in _SMALL_TALK


_SMALL_TALK = frozenset(
    map(MessageKind, ("greeting", "thanks", "farewell", "identity", "remark", "complaint"))
)
_MAY_NAME_DOCUMENT = frozenset(map(MessageKind, ("identity", "profile", "needs_model")))
_SEARCHED = frozenset(map(MessageKind, ("question", "about_self", "earlier_document")))
# What changes memory must be plainly asked for.
REQUESTS = (MessageKind.FORGET, MessageKind.LEAVE_OUT, MessageKind.UNDO)


@dataclass(frozen=True, slots=True)
class MessageReading:
    """A message as the heads read it: its kind, what it tells of its author, and what it asks.

    `about_self` is how likely it asks for what its author has told.
    """

    kind: MessageKind
    question: str
    notes: tuple[str, ...] = ()
    about_self: float = 0.0


Chances = Mapping[MessageKind, float]
"""How likely each kind is; together 1."""


@dataclass(frozen=True, slots=True)
class TextJudgement:
    """What the heads say of a text. `note` is about 2 if it tells a fact of its author, else 0."""

    chances: Chances
    note: float

    @property
    def asks_memory(self) -> float:
        """How likely it asks for a change of memory."""
        return sum(self.chances[kind] for kind in REQUESTS)


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """The weights of each kind, and the mean vector of the examples.

    `examples` is the hash of what they were trained on.
    `sure` is how likely each kind must be so that a message is not searched for, `note` the score
    from which on a sentence is kept as a note, and `plain` the log odds from which on a message
    plainly asks for a change.
    """

    embedder: str
    examples: str
    kinds: tuple[MessageKind, ...]
    centre: Any
    weights: Any
    note_weights: Any
    sure: Chances = field(default_factory=dict[MessageKind, float])
    note: float = 0.5
    plain: Mapping[MessageKind, float] = field(default_factory=dict[MessageKind, float])

    def judged(self, text: str, vector: Sequence[float]) -> "TextJudgement":
        row = inputs(text, np.asarray(vector, np.float32) - self.centre)
        scores = row @ self.weights
        likely = np.exp(scores - scores.max())
        chances = dict(zip(self.kinds, map(float, likely / likely.sum()), strict=True))
        note = float(row @ self.note_weights) + chances[MessageKind.STATEMENT]
        return TextJudgement(chances, note)

    def asks(self, kind: MessageKind, texts: Sequence[TextJudgement]) -> float:
        """Return the log odds that a message asks for a change: of the sentence that asks most,
        unless the rest objects. The first of the texts is the message, the others its sentences."""
        message, *parts = (log_odds(each.chances[kind]) for each in texts)
        return min(max(parts), message + _MARGIN)


async def read(embedder: Embedder, message: str, *, seconds: float = SECONDS) -> MessageReading:
    """Return the kind of a message, its notes in the person's words, and the rest to search for."""
    question = MessageReading(MessageKind.QUESTION, message[:LONGEST_QUESTION])
    texts = judged_texts(message)
    judged = await _judged(embedder, texts, seconds)
    if not judged:
        return question
    reading = reading_of(texts, judged, heads())
    if reading.kind is not MessageKind.FORGET:
        # What is quoted is not judged, but it is searched for.
        return reading if reading.notes else replace(reading, question=question.question)
    # Of a request to forget, what stands beside it may be kept.
    clauses = [part for text in texts[1:] for part in _CLAUSE_END.split(text) if part]
    notes = _notes(clauses, await _judged(embedder, clauses, seconds), heads())
    return replace(reading, notes=notes)


def _notes(texts: Sequence[str], judged: Sequence[TextJudgement], model: Heads) -> tuple[str, ...]:
    """Return the texts that tell a fact and ask nothing of memory, those with a question mark only
    if they surely tell one."""
    return tuple(
        text
        for text, each in zip(texts, judged, strict=True)
        if each.note >= model.note + _BESIDE_QUESTION * bool(_ASKS.search(text))
        and each.asks_memory < _MAY_ASK
    )


def reading_of(
    texts: Sequence[str], judged: Sequence[TextJudgement], model: Heads
) -> MessageReading:
    """Return the reading of a message from what the heads say of it and of its sentences."""
    message, *parts = texts
    whole = judged[0].chances
    kind = max(whole, key=lambda each: whole[each])
    if whole[kind] < model.sure[kind]:
        kind = MessageKind.QUESTION
    about_self = whole[MessageKind.ABOUT_SELF] + whole[MessageKind.PROFILE]
    of_parts = judged[1:]
    may_ask = any(each.asks_memory >= _MAY_ASK for each in judged)
    notes = () if may_ask else _notes(parts, of_parts, model)
    needs_model = max(each.chances[MessageKind.NEEDS_MODEL] for each in judged)
    if needs_model >= model.sure[MessageKind.NEEDS_MODEL] and len(notes) > _MOST_BESIDE:
        # It may be a pasted text that a model is to work on.
        kind, notes = MessageKind.NEEDS_MODEL, ()
    rest = " ".join(part for part in parts if part not in notes)
    if kind.tells_nothing and notes:
        kind = MessageKind.STATEMENT
    if kind is MessageKind.STATEMENT:
        others = [one for part, one in zip(parts, of_parts, strict=True) if part not in notes]
        best = [max(each.chances, key=each.chances.__getitem__) for each in others]
        asked = next((each for each in best if each.searches), None)
        kind = asked or (kind if notes else MessageKind.QUESTION)
    if not (kind.searches or kind in (MessageKind.STATEMENT, MessageKind.NEEDS_MODEL)):
        return MessageReading(kind, message)
    return MessageReading(kind, rest or message, notes, about_self)


async def plainly_asks(
    embedder: Embedder, message: str, kind: MessageKind, *, seconds: float = SECONDS
) -> bool:
    """Return whether a message, in its own words, plainly asks for a change of memory.

    False if the embedder is another one, fails or is slow: then the person is asked.
    """
    judged = await _judged(embedder, plain_texts(message), seconds)
    model = heads()
    return bool(judged) and model.asks(kind, judged) >= model.plain[kind]


async def telling_sentences(embedder: Embedder, texts: Sequence[str]) -> list[str]:
    """Return the sentences that may tell something of their author, to be quoted."""
    judged = await _judged(embedder, texts, SECONDS)
    if not judged:
        return list(texts)
    return [text for text, each in zip(texts, judged, strict=True) if each.note >= _MAY_TELL]


async def tells_nothing(embedder: Embedder, text: str) -> bool:
    """Return whether a text is surely small talk or a request to memory and nothing else."""
    if not _WORD.search(text):
        return True
    judged = await _judged(embedder, judged_texts(text), SECONDS)
    idle = [kind for kind in MessageKind if kind.tells_nothing or kind in REQUESTS]
    return bool(judged) and all(
        sum(each.chances[kind] for kind in idle) >= _IDLE and each.note < _MAY_TELL
        for each in judged
    )


async def _judged(embedder: Embedder, texts: Sequence[str], seconds: float) -> list[TextJudgement]:
    """Return what the heads say of texts; [] if the embedder is another one, fails or is slow."""
    model = heads()
    if not texts or embedder.name != model.embedder:
        return []
    unique = list(dict.fromkeys(texts))
    try:
        async with asyncio.timeout(seconds):
            vectors = await embedder.embed(unique, "query")
    except (TimeoutError, ModelUnavailable) as error:
        _log.warning("cannot judge a message: %s", type(error).__name__)
        return []
    found = {text: model.judged(text, vector) for text, vector in zip(unique, vectors, strict=True)}
    return [found[text] for text in texts]


def judged_texts(message: str) -> list[str]:
    """Return the own words of a message and their sentences; nothing of a long message."""
    own = " ".join(own_words(message).split()) if len(message) <= LONGEST else ""
    # An ellipsis may not end a sentence.
    parts = [own, *(part for part in sentences(own) if _WORD.search(part))]
    texts = [part.replace(BREAK, "…").strip(" …") for part in parts]
    return texts if 1 < len(texts) <= MOST_SENTENCES + 1 else []


def plain_texts(message: str) -> list[str]:
    """Return the texts by which a request is judged: none of several lines, none behind a colon."""
    if len(message) > LONGEST:
        return []
    lines = [line for line in own_words(message).split("\n") if _WORD.search(line)]
    return judged_texts(_BEHIND_COLON.sub("", lines[0])) if len(lines) == 1 else []


def inputs(text: str, apart: Any) -> Any:
    """Return the inputs of the classifiers for a text, and how far its vector is from the mean."""
    counts = np.zeros(NGRAMS, np.float32)
    ngrams = _ngrams(text)
    for ngram in ngrams:
        counts[zlib.crc32(ngram.encode()) % NGRAMS] += 1
    length = max(math.sqrt(float(apart @ apart)), 1e-9)
    one = np.full(1, _BIAS, np.float32)
    return np.concatenate([one, apart / length, counts / math.sqrt(len(ngrams))])


def _ngrams(text: str) -> set[str]:
    """Return the n-grams of characters, the words and the pairs of words of a text."""
    folded = " ".join(text.lower().split()).strip(" .!~")
    padded = f" {folded} "
    found = {padded[at : at + size] for size in _SIZES for at in range(len(padded) - size + 1)}
    words = _WORD.findall(folded)
    found.update(f"w{word}" for word in words)
    found.update(f"b{first} {second}" for first, second in pairwise(["^", *words, "$"]))
    return found


def log_odds(chance: float) -> float:
    return math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))


def digest() -> str:
    """Return the hash of the examples, by which stale weights are recognised."""
    return hashlib.sha256((FOLDER / EXAMPLES).read_bytes()).hexdigest()


@cache
def heads() -> Heads:
    """Load the weights for the default embedder."""
    stored = np.load(io.BytesIO((FOLDER / WEIGHTS).read_bytes()))
    embedder, examples, *kinds = map(str, stored["names"])
    note, *rest = map(float, stored["thresholds"])
    sure, plain = rest[: len(kinds)], rest[len(kinds) :]
    return Heads(
        embedder,
        examples,
        tuple(map(MessageKind, kinds)),
        stored["centre"].astype(np.float32),
        stored["weights"].astype(np.float32),
        stored["note_weights"].astype(np.float32),
        dict(zip(map(MessageKind, kinds), sure, strict=True)),
        note,
        dict(zip(REQUESTS, plain, strict=True)),
    )

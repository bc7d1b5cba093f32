"""Which words of a turn a forgotten record is told by: what a model is not shown any more.

Words decide, not meaning: what repeats a record in other words is not found.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from saegim.conversations.types import (
    Redactions,
    Span,
    StatementFate,
    Turn,
    less,
    says_anything,
    without,
)
from saegim.domain.scope import Locale
from saegim.llm.search_mode import is_search_mode
from saegim.memory.candidate import QUOTE_CHARACTERS
from saegim.text import analysis

# A turn repeats a record if it has so many of the words that tell it.
_REPEATS = Fraction(2, 3)
# Said of oneself, or only to go on: they tell nothing apart.
_EMPTY = """
나 난 내 나도 저 전 제 저도 우리 저희 근데 그리 그런 그래 참고 사실 요즘 지금 이제 현재
아직 이미 정말 진짜 아주 너무 매우 사용 user
"""
_TELLS_NOTHING = frozenset(_EMPTY.split())
_PLACEHOLDER = re.compile(r"\[[A-Z_]+\]")


_NOTES: dict[Locale, dict[StatementFate, str]] = {
    "ko": {StatementFate.CORRECTED: " (이후 정정됨)", StatementFate.REPLACED: " (이후 바뀜)"},
    "en": {
        StatementFate.CORRECTED: " (corrected since)",
        StatementFate.REPLACED: " (changed since)",
    },
}


@dataclass(frozen=True, slots=True)
class ForgottenRecord:
    """A record as far as its words are looked for. Of one that nobody said, only what a model
    repeated is struck: what the person said is a statement of its own."""

    quote: str
    content: str
    was_said: bool

    @property
    def words(self) -> frozenset[str]:
        """The words that tell it: those of the quote that the record has too, if any."""
        quoted, content_words = (
            analysis.word_keys(text) - _TELLS_NOTHING for text in (self.quote, self.content)
        )
        return (quoted & content_words) or quoted or content_words


def said_in(forgotten: ForgottenRecord, turn: Turn, *, source: bool) -> Redactions:
    """The places of a turn that tell a record; `source` is a turn that the record was made from."""
    if not source:
        return _repeated(forgotten, turn)
    quoted = _whole(quoted_in(forgotten.quote, turn), forgotten.quote, turn)
    if not quoted:
        return _repeated(forgotten, turn, known=True) or _all_of(turn)
    words = forgotten.words
    again = Redactions(
        message=_sentences_with(turn.message, words, repeating=True, but=quoted.message)
    )
    # What is said besides may be spoken of in the reply: its words are not the record's.
    besides = analysis.word_keys(without(turn.message, (quoted | again).message))
    own = words - besides
    replied = _sentences_with(turn.reply or "", own or words, repeating=not own)
    return quoted | again | Redactions(reply=replied)


def _whole(quoted: Redactions, quote: str, turn: Turn) -> Redactions:
    """With the rest of what a quote was too long to hold."""
    if len(quote) < QUOTE_CHARACTERS:
        return quoted
    return Redactions(
        tuple((start, len(turn.message)) for start, _ in quoted.message),
        tuple((start, len(turn.reply or "")) for start, _ in quoted.reply),
    )


def quoted_in(quote: str, turn: Turn) -> Redactions:
    """Every place where a quote stands, spaces aside; what was masked in it may be anything."""
    words = [_loose(word) for word in quote.split()]
    if not words:
        return Redactions()
    pattern = re.compile(r"\s+".join(words))
    return Redactions(_places(pattern, turn.message), _places(pattern, turn.reply or ""))


def _repeated(forgotten: ForgottenRecord, turn: Turn, *, known: bool = False) -> Redactions:
    """The sentences that a turn repeats a record in; none where it has too few of its words."""
    words = forgotten.words
    message = turn.message if forgotten.was_said else ""
    has = analysis.word_keys(f"{turn.message}\n{turn.reply or ''}") & words
    if not words or not (known or _enough(has, words)):
        return Redactions()
    return Redactions(_sentences_with(message, words), _sentences_with(turn.reply or "", words))


def _sentences_with(
    text: str, words: Set[str], *, repeating: bool = False, but: Sequence[Span] = ()
) -> tuple[Span, ...]:
    """The sentences that have one of the words, or that repeat them; what stands at the places of
    `but` does not count."""
    found: list[Span] = []
    for sentence in _sentences(text):
        said = " ".join(text[start:end] for start, end in less([sentence], but))
        has = analysis.word_keys(said) & words
        if has and (_enough(has, words) or not repeating):
            found.append(sentence)
    return tuple(found)


def _enough(has: Set[str], words: Set[str]) -> bool:
    """Whether these are words enough to repeat a record: most of them, with every number."""
    numbers = {word for word in words if word[0].isdigit()}
    return bool(has) and numbers <= has and len(has) >= _REPEATS * len(words)


def _sentences(text: str) -> Iterator[Span]:
    done = 0
    for sentence in analysis.sentences(text):
        start = text.index(sentence, done)
        done = start + len(sentence)
        yield start, done


def _loose(word: str) -> str:
    """A word as a pattern in which a placeholder stands for what was masked."""
    return r"\S.{0,79}?".join(re.escape(part) for part in _PLACEHOLDER.split(word))


def _places(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    return tuple(match.span() for match in pattern.finditer(text))


def _all_of(turn: Turn) -> Redactions:
    return Redactions(((0, len(turn.message)),), ((0, len(turn.reply or "")),))


def as_recalled(turn: Turn) -> str:
    """A turn as recall brings it back: without what is struck, with what became of the rest since,
    and without a reply that only quotes; empty where nothing is left."""
    notes = _NOTES[analysis.language(turn.message)]
    message = without(
        turn.message, turn.redactions.message, [(at, notes[why]) for at, why in turn.outdated]
    )
    reply = turn.exchange().reply
    text = message if is_search_mode(reply) else f"{message}\n{reply}".rstrip()
    return text if says_anything(text) else ""


def text_without(text: str, forgotten: ForgottenRecord) -> str:
    """A text without the sentences that repeat a record; empty if it has no others."""
    sentences = _sentences_with(text, forgotten.words, repeating=True)
    left = "".join(text[start:end] for start, end in less([(0, len(text))], sentences))
    lines = [line.strip() for line in left.splitlines()]
    return "\n".join(line for line in lines if says_anything(line)) if sentences else text


def repeats(text: str, forgotten: ForgottenRecord) -> bool:
    """Whether a text has words enough to tell a record."""
    return _enough(analysis.word_keys(text) & forgotten.words, forgotten.words)


def has_word_of(text: str, forgotten: ForgottenRecord) -> bool:
    """Whether a text has any word that tells a record."""
    return bool(analysis.word_keys(text) & forgotten.words)

"""Find the words of turns that repeat a forgotten record, to redact them from prompts.

Only words are compared: a repetition in other words is not found.
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
from saegim.memory.candidate import QUOTE_CHARACTERS
from saegim.text import analysis

# Share of the words of a record that a turn must contain to repeat it.
_REPEATS = Fraction(2, 3)
# Words without information about a record.
_STOP_LIST = """
나 난 내 나도 저 전 제 저도 우리 저희 근데 그리 그런 그래 참고 사실 요즘 지금 이제 현재
아직 이미 정말 진짜 아주 너무 매우 사용 user
"""
_STOP_WORDS = frozenset(_STOP_LIST.split())
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
    """The words of a record. If the user did not say it, only replies are redacted."""

    quote: str
    content: str
    was_said: bool

    @property
    def words(self) -> frozenset[str]:
        """Words common to quote and content, else of the quote, else of the content."""
        quoted, content_words = (
            analysis.word_keys(text) - _STOP_WORDS for text in (self.quote, self.content)
        )
        return (quoted & content_words) or quoted or content_words

    @property
    def all_words(self) -> frozenset[str]:
        return analysis.word_keys(f"{self.quote}\n{self.content}") - _STOP_WORDS


def said_in(forgotten: ForgottenRecord, turn: Turn, *, source: bool) -> Redactions:
    """Return the spans of a turn that repeat a record; `source`: the record comes from it."""
    if not source:
        return _repeated(forgotten, turn)
    quoted = _whole(quoted_in(forgotten.quote, turn), forgotten.quote, turn)
    if not quoted:
        return _repeated(forgotten, turn, known=True) or _all_of(turn)
    words = forgotten.words
    again = Redactions(
        message=_sentences_with(turn.message, words, repeating=True, but=quoted.message)
    )
    # Words of other statements may occur in the reply and are not those of the record.
    other = analysis.word_keys(without(turn.message, (quoted | again).message))
    own = words - other
    replied = _sentences_with(turn.reply or "", own or words, repeating=not own)
    return quoted | again | Redactions(reply=replied)


def _whole(quoted: Redactions, quote: str, turn: Turn) -> Redactions:
    """Extend the spans of a truncated quote to the end of the text."""
    if len(quote) < QUOTE_CHARACTERS:
        return quoted
    return Redactions(
        tuple((start, len(turn.message)) for start, _ in quoted.message),
        tuple((start, len(turn.reply or "")) for start, _ in quoted.reply),
    )


def quoted_in(quote: str, turn: Turn) -> Redactions:
    """Return the spans of a quote, ignoring whitespace; placeholders match any text."""
    words = [_loose(word) for word in quote.split()]
    if not words:
        return Redactions()
    pattern = re.compile(r"\s+".join(words))
    return Redactions(_spans(pattern, turn.message), _spans(pattern, turn.reply or ""))


def _repeated(forgotten: ForgottenRecord, turn: Turn, *, known: bool = False) -> Redactions:
    """Return the sentences that repeat a record; none if the turn has too few of its words."""
    words = forgotten.words
    message = turn.message if forgotten.was_said else ""
    has = analysis.word_keys(f"{turn.message}\n{turn.reply or ''}") & words
    if not words or not (known or _enough(has, words)):
        return Redactions()
    return Redactions(_sentences_with(message, words), _sentences_with(turn.reply or "", words))


def _sentences_with(
    text: str, words: Set[str], *, repeating: bool = False, but: Sequence[Span] = ()
) -> tuple[Span, ...]:
    """Return the sentences with one of the words, or enough of them, outside the spans `but`."""
    spans: list[Span] = []
    for sentence in _sentences(text):
        rest = " ".join(text[start:end] for start, end in less([sentence], but))
        has = analysis.word_keys(rest) & words
        if has and (_enough(has, words) or not repeating):
            spans.append(sentence)
    return tuple(spans)


def _enough(has: Set[str], words: Set[str]) -> bool:
    """Return whether these are most of the words, with every number."""
    numbers = {word for word in words if word[0].isdigit()}
    return bool(has) and numbers <= has and len(has) >= _REPEATS * len(words)


def _sentences(text: str) -> Iterator[Span]:
    done = 0
    for sentence in analysis.sentences(text):
        start = text.index(sentence, done)
        done = start + len(sentence)
        yield start, done


def _loose(word: str) -> str:
    """Return a pattern of a word in which a placeholder matches any text."""
    return r"\S.{0,79}?".join(re.escape(part) for part in _PLACEHOLDER.split(word))


def _spans(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    return tuple(match.span() for match in pattern.finditer(text))


def _all_of(turn: Turn) -> Redactions:
    return Redactions(((0, len(turn.message)),), ((0, len(turn.reply or "")),))


def as_recalled(turn: Turn) -> str:
    """Return the text of a turn for recall: redacted, with notes on outdated statements.

    A reply written without a model is left out. "" if nothing remains.
    """
    message = message_as_recalled(turn)
    reply = turn.exchange().reply
    text = message if turn.by_rule else f"{message}\n{reply}".rstrip()
    return text if says_anything(text) else ""


def message_as_recalled(turn: Turn) -> str:
    """Return the message of a turn: redacted, with notes on outdated statements."""
    notes = _NOTES[analysis.language(turn.message)]
    return without(
        turn.message, turn.redactions.message, [(at, notes[why]) for at, why in turn.outdated]
    )


def is_outdated(text: str) -> bool:
    """Return whether a text has a note that it was corrected or replaced since."""
    return any(note in text for notes in _NOTES.values() for note in notes.values())


def text_without(text: str, forgotten: ForgottenRecord, gone: Set[str] = frozenset()) -> str:
    """Remove the sentences that repeat a record or have one of the words `gone`."""
    sentences = _sentences_with(text, forgotten.words, repeating=True) + _sentences_with(text, gone)
    rest = "".join(text[start:end] for start, end in less([(0, len(text))], sentences))
    lines = [line.strip() for line in rest.splitlines()]
    return "\n".join(line for line in lines if says_anything(line)) if sentences else text


def repeats(text: str, forgotten: ForgottenRecord, gone: Set[str] = frozenset()) -> bool:
    """Return whether a text repeats a record or has one of the words `gone`."""
    words = analysis.word_keys(text)
    return bool(words & gone) or _enough(words & forgotten.words, forgotten.words)

"""Answer a question to memory without a model: list the records, or quote those that fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from saegim.chat.context.evidence import unmarked
from saegim.chat.memory_questions.types import (
    MOST_LISTED,
    Markers,
    MemoryFindings,
    MemoryQuestion,
    MemorySource,
    day_of,
)
from saegim.chat.rules.intents import is_phrase, read
from saegim.chat.rules.quotes import best_quotes
from saegim.chat.rules.replies import KNOWN, YOU_SAID
from saegim.domain.scope import Locale
from saegim.locales import N_, translate
from saegim.text.analysis import sentences
from saegim.text.intents import Intent
from saegim.text.questions import is_question

MORE = N_("{count} more are on the memory page.")
UNSURE = N_("unsure since {day}")
_MOST_CHARACTERS = 300
# The share of the question's words that a quoted sentence has at least, if recall doubts that the
# answer was told.
_SURE_SHARE = 0.6
# An unsure record answers half as surely, as in recall.
_UNSURE = 0.5
_SUREST = 0.95


@dataclass(frozen=True, slots=True)
class QuotedAnswer:
    """An answer made of quotes, and how sure it is, from 0 to 1."""

    text: str
    confidence: float


def quote(
    question: MemoryQuestion, findings: MemoryFindings, markers: Markers
) -> QuotedAnswer | None:
    """Return the answer; None if nothing found shares words with the question."""
    writer = _Writer(question.locale, markers, question.time_zone)
    if read(question.text).intent is Intent.PROFILE:
        return _listed(writer, findings.records)
    said = [
        (source, sentence)
        for source in reversed(findings.recalled)
        for sentence in (_user_sentences(source) if source.kind == "turn" else [source.text])
    ]
    quotes = best_quotes(question.text, [(str(n), each[1]) for n, each in enumerate(said)])
    least = _SURE_SHARE if findings.is_unknown else 0.0
    found = [(said[int(each.marker)][0], each) for each in quotes if each.share >= least]
    if not found:
        return None
    lines = [
        f"{day_of(source.said_at, question.time_zone)}: {writer.cited(source, each.sentence)}"
        for source, each in found
    ]
    confidence = max(_chance(findings.known, each.share, source) for source, each in found)
    if len(lines) == 1:
        return QuotedAnswer(writer.say(YOU_SAID, statements=lines[0]), confidence)
    listed = (f"- {line}" for line in lines)
    heading = writer.say(YOU_SAID, statements="").rstrip()
    return QuotedAnswer("\n".join([heading, "", *listed]), confidence)


@dataclass(frozen=True, slots=True)
class _Writer:
    locale: Locale
    markers: Markers
    time_zone: str

    def say(self, text: str, **values: object) -> str:
        return translate(text, self.locale, **values)

    def cited(self, source: MemorySource, sentence: str) -> str:
        """Return a sentence of a source in quotation marks, with its marker."""
        line = " ".join(sentence.split())
        if len(line) > _MOST_CHARACTERS:
            line = line[:_MOST_CHARACTERS].rstrip() + "…"
        cited = f"“{unmarked(line)}” [{self.markers.of(source)}]"
        if source.unsure_since is None:
            return cited
        return f"{cited} ({self.say(UNSURE, day=day_of(source.unsure_since, self.time_zone))})"


def _listed(writer: _Writer, records: Sequence[MemorySource]) -> QuotedAnswer | None:
    """List the records, the most important first."""
    if not records:
        return None
    lines = [f"- {writer.cited(each, each.text)}" for each in records[:MOST_LISTED]]
    left = len(records) - len(lines)
    more = ["", writer.say(MORE, count=left)] if left else []
    return QuotedAnswer("\n".join([writer.say(KNOWN), "", *lines, *more]), 1.0)


def _user_sentences(source: MemorySource) -> list[str]:
    """Return the sentences that the user said in a turn, without questions."""
    said = source.text.strip().split("\n", 1)[0]
    return [each for each in sentences(said) if not is_question(each) and not is_phrase(each)]


def _chance(known: float, fit: float, source: MemorySource) -> float:
    """Return the chance that a quote answers the question: recall's own chance, changed by how
    well the quote fits; a fit of 0.5 changes nothing."""
    odds = _odds(known or 0.5) * _odds(fit)
    doubt = 1.0 if source.unsure_since is None else _UNSURE
    return doubt * odds / (1 + odds)


def _odds(chance: float) -> float:
    limited = min(max(chance, 1 - _SUREST), _SUREST)
    return limited / (1 - limited)

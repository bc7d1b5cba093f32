"""Recognise the intent of a message by meaning, where no pattern does."""

from collections.abc import Set
from dataclasses import replace

from saegim.chat.rules.intents import Interpretation
from saegim.chat.understanding import depends_on_thread, refers_back
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.rules.meanings import Meanings
from saegim.text.intents import LIKELY, SURE, Intent, likeliest

_TALK = (
    Intent.GREETING,
    Intent.THANKS,
    Intent.FAREWELL,
    Intent.IDENTITY,
    Intent.REMARK,
    Intent.COMPLAINT,
    Intent.HISTORY,
    Intent.PROFILE,
)
UNDECIDED = (Intent.QUESTION, Intent.ABOUT_SELF, Intent.STATEMENT)


def by_meaning(
    message: str, reading: Interpretation, meanings: Meanings, facts: Set[str] | None
) -> Interpretation:
    """Return what a message means, if patterns found nothing but a question or a statement."""
    undecided = reading.intent in UNDECIDED and not refers_back(message)
    if not undecided or message not in meanings:
        return reading
    best, score = likeliest(meanings[message].scores)
    found = tuple(each.content for each in extract_statements(message, facts=facts))
    if best is Intent.STATEMENT and score >= LIKELY and found and not reading.question:
        return Interpretation(best, found)
    if reading.intent is Intent.STATEMENT and not found:
        reading = Interpretation(Intent.QUESTION)
    reading = replace(reading, statements=found if reading.statements else ())
    least = SURE if depends_on_thread(message) or reading.statements else LIKELY
    if best in _TALK and score >= least:
        return Interpretation(best)
    if best is Intent.ABOUT_SELF and score >= LIKELY and reading.intent is not Intent.STATEMENT:
        return replace(
            reading,
            intent=best,
            question=reading.question or message,
            asks_memory=reading.asks_memory or score >= SURE,
        )
    return reading

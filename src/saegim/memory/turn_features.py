"""Features of the form of a turn: speaker, question, time, number, first person."""

import re

from saegim.conversations.types import Exchange
from saegim.memory.types import TurnFeature, TurnFeatures
from saegim.text import analysis
from saegim.text.dates.patterns import MEANINGS, MONTHS
from saegim.text.names import given_name

SPEAKER = "@"
"""Prefix of the term of a speaker, as opposed to a mentioned name."""

_LONGEST_NAME = 20
# Group chats: a name of up to three words, a colon, the message.
_SPOKEN = re.compile(rf"(?P<name>[^\W\d_][\w.'-]{{0,{_LONGEST_NAME}}}(?: [\w.'-]+){{0,2}}): ")

_TABLES = ("days", "weekdays", "seasons", "units")
# Longer words, as "mon" and 올 are parts of others.
_CALENDAR = [
    re.escape(word)
    for words in (*(MEANINGS[table] for table in _TABLES), MONTHS)
    for word in words
    if len(word) > (3 if word.isascii() else 1)
]
_WHEN = re.compile(
    rf"\b(?:{'|'.join(filter(str.isascii, _CALENDAR))}|ago|last|next"
    r"|since|recently|\d{4}|\d+(?:st|nd|rd|th))\b"
    rf"|{'|'.join(word for word in _CALENDAR if not word.isascii())}"
    r"|지난|이번|다음|[작올내]년|아까|방금|최근|전에|주말|봄에|\d+\s*(?:[년월일시주]|개월)",
    re.IGNORECASE,
)
_NUMBERS = [word for word in MEANINGS["numbers"] if word.isascii() and len(word) > 2]
_HOW_MANY = re.compile(
    rf"\d|\b(?:{'|'.join(_NUMBERS)}|twice|several)\b"
    r"|[한두세네열몇]\s?(?:[개명번살대권잔곳]|마리|가지)",
    re.IGNORECASE,
)
_ONESELF = re.compile(
    r"\b(?:i|my|me|we|our|us)\b"
    r"|(?:^|\s)(?:[나내난저제전]|우리|저희)(?:[는가도를의랑]|한테|에게)?(?=\s)",
    re.IGNORECASE,
)


def turn_features(turn: Exchange) -> TurnFeatures:
    """Return the search data of a single turn."""
    name, message = speaker_of(turn.message)
    text = turn_text(turn)
    return TurnFeatures(
        terms=analysis.index_terms(text),
        # A long reply tells of times and numbers in any case.
        marks=_marks(message),
        speaker=SPEAKER + given_name(name) if name else None,
        message_terms=analysis.index_terms(message),
    )


def turn_text(turn: Exchange) -> str:
    """Return message and reply without the name of the speaker."""
    _, message = speaker_of(turn.message)
    return f"{message}\n{turn.reply}" if turn.reply else message


def speaker_of(message: str) -> tuple[str, str]:
    """Return the case-folded name in front of a message, or "", and the rest."""
    match = _SPOKEN.match(message)
    if match is None:
        return "", message
    return analysis.fold(match["name"]), message[match.end() :]


def _marks(text: str) -> TurnFeature:
    marks = TurnFeature(0)
    sentences = analysis.sentences(text)
    questions = sum(sentence.endswith(("?", "？")) for sentence in sentences)
    if sentences and sentences[-1].endswith(("?", "？")) and 2 * questions >= len(sentences):
        marks |= TurnFeature.ASKS
    for pattern, mark in (
        (_WHEN, TurnFeature.TELLS_WHEN),
        (_HOW_MANY, TurnFeature.TELLS_HOW_MANY),
        (_ONESELF, TurnFeature.OF_ONESELF),
    ):
        if pattern.search(text):
            marks |= mark
    return marks

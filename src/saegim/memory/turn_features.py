"""Features of the form of a turn: speaker, question, time, number, first person."""

import re

from saegim.conversations.types import Exchange
from saegim.memory.names import given_name
from saegim.memory.types import TurnFeature, TurnFeatures
from saegim.text import analysis

SPEAKER = "@"
"""Prefix of the term of a speaker, as opposed to a mentioned name."""

_LONGEST_NAME = 20
# Group chats: a name of up to three words, a colon, the message.
_SPOKEN = re.compile(rf"(?P<name>[^\W\d_][\w.'-]{{0,{_LONGEST_NAME}}}(?: [\w.'-]+){{0,2}}): ")

_WHEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week(?:end)?|months?|years?|summer|winter"
    r"|spring|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|since|recently|morning|night"
    r"|\d{4}|\d+(?:st|nd|rd|th))\b"
    r"|어제|그제|오늘|내일|모레|지난|이번|다음|작년|올해|내년|재작년|아까|방금|최근|전에|주말"
    r"|[월화수목금토일]요일|여름|겨울|가을|봄에|\d+\s*(?:년|월|일|시|주|개월)",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|several|couple|few)\b"
    r"|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|몇)\s?(?:개|명|마리|번|살|대|권|잔|곳|가지)",
    re.IGNORECASE,
)
_ONESELF = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|we've|our|us)\b"
    r"|(?:^|\s)(?:나|내|난|저|제|전|우리|저희)(?:는|가|도|를|의|랑|한테|에게)?(?=\s)",
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

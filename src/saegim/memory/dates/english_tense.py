"""The tense of English texts around time expressions, and what else they show of a date."""

import re
from functools import lru_cache

from saegim.memory.dates.expressions import Tense

YEARLY = re.compile(r"(?i)birthday|anniversary|every year|each year|yearly|annual|\bborn\b")
REPEATED = re.compile(
    r"(?i)\bevery|\beach\b|\bweekly|\bmonthly|\busually\b|\balways\b|\bdays? off\b"
)
_PAST = re.compile(
    r"(?i)\b(?:was|were|had|got|went|broke|left|came|saw|met|did|made|took|gave|found|told|lost|won"
    r"|ran|flew|drove|bought|sold|ate|drank|slept|fell|felt|hurt|quit|began|kept|heard|spent|sent"
    r"|built|caught|wrote|said|paid|bit|hit|died|been|grew|rode|swam|threw|woke|read|held|born"
    r"|(?!need|speed|indeed|hundred|exceed|proceed|allowed|supposed|scheduled|planned|booked|invited"
    r"|expected|required)\w{2,}ed)\b"
)
_AHEAD = re.compile(
    r"(?i)\b(?:will|going to|gonna|gotta|need to|have to|has to|must|due|scheduled|planned|booked"
    r"|supposed|remind|deadline|plan|planning|hope to|want to|should)\b|['’]ll\b"
    r"|(?:\b(?:am|are|is)|['’](?:m|re|s))\s(?:getting|going|moving|starting|leaving|flying|meeting)\b"
)
# What was arranged lies ahead, although the arranging is over.
_ARRANGED = re.compile(
    r"(?i)\b(?:signed up|registered) (?:for|to)\b|\btickets? (?:for|to)\b|\breserved\b"
    r"|\bmade (?:an?|the|our|my) (?:\w+ )?(?:reservation|appointment|booking)\b"
)
TOWARDS = re.compile(r"(?i)\b(?:to|for|until|till|by|before|due|starting|from)\s+(?:the\s+)?$")
# Characters before an expression that hold its preposition.
_PREPOSITION = 24
_FROM_PAST = re.compile(r"(?i)\bsince\s+(?:the\s+)?$")


def tense_of(match: re.Match[str]) -> Tense:
    """Return the tense of a text, or what the preposition before an expression says of it."""
    before = match.string[max(0, match.start() - _PREPOSITION) : match.start()]
    if _FROM_PAST.search(before):
        return Tense.PAST
    if TOWARDS.search(before):
        return Tense.FUTURE
    return tense_of_text(match.string)


@lru_cache(maxsize=256)
def tense_of_text(text: str) -> Tense:
    """Return the tense of a text by its words alone."""
    if _AHEAD.search(text):
        return Tense.FUTURE
    if _ARRANGED.search(text):
        return Tense.UNKNOWN
    return Tense.PAST if _PAST.search(text) else Tense.UNKNOWN

"""Extract the statements of an English clause by rule."""

import re
from collections.abc import Iterator

from saegim.memory.rules.attributes import Attribute, Claim
from saegim.memory.rules.loader import load

_RULES = load("en")
_SUBJECT = re.compile(
    r"(?i)\b(?:my|our)\s(?:(?:older|younger|eldest|youngest|little|big|oldest)\s)?"
    rf"(?P<kin>{_RULES.kin})\b(?:,?\s(?P<name>(?-i:[A-Z][a-z]+)))?"
)
_OWNED = re.compile(
    r"(?i)\b(?:the|our|my)\s(?P<kin>(?:[\w-]+\s){0,2}?"
    r"(?:project|trip|team|event|campaign|launch|wedding|renovation|app|website))\b"
)
_NO_SUBJECT = ("the", "my", "our", "a", "this")
_OF_THINGS = ("budget", "deadline", "schedule", "setting")
_WHO = ("pet", "child", "family", "partner")
_LEAD = re.compile(
    r"(?i)^(?:the|an?|my|our|some|really|very|just|about|around|currently|now|still|also|actually"
    r"|to|in|at|for)\s"
)


def claims(clause: str, *, last: bool) -> Iterator[Claim]:
    """Yield the statements of a clause; `last`: it ends its sentence and can be a question."""
    for rule, match in _RULES.fitting(clause, last=last):
        groups = match.groupdict()
        value = bare(groups.get("v") or "")
        if not value:
            continue
        named = groups.get("p") or groups.get("s") or ""
        named = "" if named.strip().casefold() in _NO_SUBJECT else named
        subject = named or (_subject(clause, rule.attribute) if rule.of_others else "")
        yield _RULES.claim(rule, clause, bare(subject).casefold(), value)


def bare(value: str) -> str:
    """Strip leading words of a noun phrase."""
    value = value.strip(" ,.'\"“”‘’!")
    while (lead := _LEAD.match(value)) is not None and lead.end() < len(value):
        value = value[lead.end() :].strip()
    return value


def _subject(clause: str, attribute: Attribute) -> str:
    """Return the subject; "" for the speaker."""
    if attribute.slug in _OF_THINGS:
        owned = _OWNED.search(clause)
        return owned["kin"] if owned else ""
    match = None if attribute.slug in _WHO else _SUBJECT.search(clause)
    if match is None:
        return ""
    return f"{match['kin']} {match['name']}" if match["name"] else match["kin"]

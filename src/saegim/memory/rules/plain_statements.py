"""Detect statements that no rule matches: exact, dated, or in the first person."""

from saegim.domain.scope import Locale
from saegim.memory.rules.attributes import ATTRIBUTES, Claim
from saegim.memory.rules.loader import StatementPatterns, load

_SHORTEST, _LONGEST = 6, 160


def stated(clause: str, locale: Locale, *, last: bool) -> Claim | None:
    """Return a general statement; None if the clause is none."""
    rules = load(locale)
    text, plain = clause.strip(), rules.stated
    if not _SHORTEST <= len(text) <= _LONGEST or any(no.search(text) for no in rules.not_said):
        return None
    if (last and rules.question.search(text)) or plain.not_stated.search(text):
        return None
    if plain.for_all.search(text):
        return None
    if not any(sign.search(text) for sign in (plain.own, plain.exact, plain.when)):
        return None
    return Claim(ATTRIBUTES[_kind(text, plain)], "", text, general=True)


def _kind(text: str, plain: StatementPatterns) -> str:
    if plain.to_do.search(text):
        return "todo"
    if plain.must.search(text):
        return "limit"
    return "event" if plain.when.search(text) and not plain.often.search(text) else "other"

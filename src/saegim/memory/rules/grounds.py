"""Rules for what a statement rests on: a commute on home and work, a plan on its budget."""

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

from saegim.memory.rules.attributes import ATTRIBUTES, Cardinality
from saegim.memory.rules.clauses import clauses
from saegim.memory.rules.extractor import first_claim
from saegim.memory.types import Record
from saegim.text import analysis

# Words of statements that rest on an attribute, whatever its value.
_OF_ATTRIBUTE = {
    "home": re.compile(
        r"출퇴근|통근|출근\s?(?:시간|길|하는|은|이)|통학|등하교|집\s?(?:근처|앞|주변|에서)|동네|이웃|집주인"
        r"|월세|전세|관리비|룸메"
        r"|\bcommut(?:e|es|ing)\b|\bfrom (?:home|my place|our place)\b|\b(?:near|close to|around) "
        r"(?:home|(?:my|our) (?:home|place|house|flat|apartment))\b|\blandlord\b|\bneighbou?rs?\b"
        r"|\b(?:rent|flatmates?|roommates?)\b|\b(?:walk|cycle|drive|ride|bus|train) to "
        r"(?:work|school|the (?:office|station|university|lab))\b",
        re.IGNORECASE,
    ),
    "work": re.compile(
        r"출퇴근|통근|출근|회사\s?(?:근처|앞|에서)|팀장|상사|사수|부장님|연차|재택|사내|연봉|회식"
        r"|\bcommut(?:e|es|ing)\b|\b(?:my|our) (?:boss|manager|office|colleagues?|coworkers?)\b"
        r"|\b(?:to|at) (?:work|the office)\b|\bdays off\b|\bremote(?:ly)?\b",
        re.IGNORECASE,
    ),
    "school": re.compile(
        r"기숙사|통학|등하교|지도\s?교수|학식|\b(?:dorm|campus|supervisor|to school)\b",
        re.IGNORECASE,
    ),
    "budget": re.compile(
        r"예산|\bbudget\b|(?:사기로|구매|주문|예약하기로)"
        r"|\b(?:we|i)(?:'ll| will) (?:buy|order|book)\b",
        re.IGNORECASE,
    ),
    "team": re.compile(r"팀장|팀원|스탠드업|\b(?:team lead|standup|team meeting)\b", re.IGNORECASE),
}
# A job without a place has no commute, but all else that a workplace has.
_LIKE = {"job": "work"}
# A statement with one of these names its ground, if that has a word of it.
_GIVES_REASON = re.compile(
    r"그래서|그러니까|그러면|때문에|덕분에|(?:이?라서|여서|해서|니까|길래|므로)(?=[\s,.]|$)|기준으로|맞춰|맞추|에\s?따라"
    r"|\b(?:because|since (?:we|i|the)|so (?:we|i|the|that|he|she|they)|therefore|due to|based on"
    r"|depends? on|now that|given that|as long as|thanks to|in time for)\b",
    re.IGNORECASE,
)
_CONSEQUENCE = re.compile(
    r"(?:그래서|그러니까|따라서|때문에|\bso|\btherefore|\bthat'?s why|\bhence)[,\s]*$",
    re.IGNORECASE,
)
# What may change and take others with it.
_GROUND_WORDS = """
home work job school team budget salary deadline schedule plan project decision setting partner
vehicle goal
"""
_GROUNDS = frozenset(_GROUND_WORDS.split())
_SLUGS = {name: slug for slug, each in ATTRIBUTES.items() for name in each.names.values()}
_LEAST_LETTERS = 2


def may_rest(content: str) -> bool:
    """Return whether a statement may rest on others."""
    return _GIVES_REASON.search(content) is not None or any(
        words.search(content) for words in _OF_ATTRIBUTE.values()
    )


def follows_from(message: str, quote: str) -> bool:
    """Return whether a message says that a quote is a consequence of what stands before it."""
    at = message.find(quote)
    return at > 0 and _CONSEQUENCE.search(message[:at]) is not None


def grounds_of(content: str, topic: str, known: Sequence[Record]) -> Iterator[UUID]:
    """Yield the records that a statement rests on."""
    if not may_rest(content):
        return
    reason = _GIVES_REASON.search(content) is not None
    words, own = analysis.word_keys(content), _attribute(content, topic)
    for record in known:
        slug, of_other = found = _attribute(record.content, record.topic)
        # Another value of the same attribute replaces it.
        replaces = found == own and ATTRIBUTES[slug].hold is not Cardinality.MANY
        if slug not in _GROUNDS or replaces:
            continue
        if of_other and not analysis.word_keys(of_other) & words:
            continue
        about = _OF_ATTRIBUTE.get(_LIKE.get(slug, slug))
        needs_it = about is not None and about.search(content) is not None
        if needs_it or (reason and _shared(words, record)):
            yield record.id


def _shared(words: frozenset[str], record: Record) -> bool:
    """Return whether a statement has a telling word of a record: a name, a date, a thing."""
    common = words & analysis.word_keys(record.content)
    return any(len(word) >= _LEAST_LETTERS for word in common - analysis.word_keys(record.topic))


def _attribute(content: str, topic: str) -> tuple[str, str]:
    """Return the attribute of a statement, and whose it is if not the user's."""
    for name, slug in _SLUGS.items():
        if topic == name:
            return slug, ""
        if topic.endswith(f" {name}"):
            return slug, topic.removesuffix(name).strip()
    for clause in clauses(content):
        claim = first_claim(clause.text, analysis.language(clause.text), last=clause.last)
        if claim is not None:
            return claim.attribute.slug, claim.subject
    return "other", ""

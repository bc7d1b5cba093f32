"""Find the key of a value in an English sentence: "budget" in "the budget is $10,000"."""

import re

from saegim.conversations.summary.word_lists import words

_WORDS = r"[\w&/'’.#+-]+(?:\s[\w&/'’.#+-]+){0,5}?"
_SOFTENER = (
    r"(?:(?:now|about|around|roughly|exactly|only|just|approximately|currently|still|at|on|by|for"
    r"|to|of|set|due|up|down|an?|the|version|number|no\.?|scheduled|planned|estimated|nearly|almost"
    r"|over|under|until|actually|really|called|named|always|also|likely|probably)\s)*"
)
_MOVED = (
    r"(?:pushed|moved|raised|changed|cut|set|rescheduled|postponed|extended|reduced|increased"
    r"|lowered|updated|bumped|switched|revised|delayed)"
)
# Verbs that are the key if there is no noun: she weighs 18kg.
_DOES = (
    r"costs?|weighs?|measures?|lasts?|earns?|pays?|charges?|expires?|starts?|ends?|begins?|closes?"
    r"|runs? out|opens?|ships?|arrives?"
    r"|(?:has|have|needs?) to (?:arrive|be ready|be done|ship|finish)"
)
_IS = re.compile(
    rf"(?P<key>{_WORDS})\s*(?:(?:\s(?:(?:is|are|was|were|got|has been|have been|will be) {_MOVED}"
    r"|is|are|was|were|will be|would be|has been|have been|remains?|became|becomes|stays?|totals?"
    r"|totaled|equals?|reached|hit|runs?(?: on)?|falls?|lands?|stands?|sits?|comes|amounts?"
    r"|accounts|takes?|uses?|rose|fell|grew|went|dropped|increased|decreased|changed|moved|came"
    rf"|(?P<does>{_DOES}))\s)|['’]s\s|[:=]\s?[\"'“*_`]*){_SOFTENER}"
    rf"(?:from\s.{{1,30}}?\s(?:up\s|down\s)?to\s{_SOFTENER})?[\"'“‘*_`]*$",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:set|put|raised?|raising|changed?|changing|increased?|cut|lower(?:ed)?|updated?|moved?|push"
    r"(?:ed)?|bump(?:ed)?|switch(?:ed)?|upgraded?|downgraded?|adjust(?:ed)?|rescheduled?|extend(?:ed)?"
    r"|reduced?|make|made|keep|kept|fix(?:ed)?|revised?|postponed?|dropped?)\s"
    rf"(?P<key>{_WORDS})\s(?:from\s.{{1,30}}?\s)?(?:to|at|until|by)\s{_SOFTENER}$",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"(?P<key>[\w&/'’#+-]+(?:\s[\w&/'’#+-]+){0,2})\s(?:of\s)?[\"'“(]?$")
_FOLLOWING = re.compile(
    r"^\s(?:of\s(?:the\s|our\s|my\s)?)?(?P<key>[A-Za-z][\w-]+(?:\s[a-z][\w-]+)?)"
)
_CUT = re.compile(
    r"[,;:()\n]|\b(?:and|but|because|that|when|while|if|so|then|which|since|although|or|as|than)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:the|an?|my|our|your|his|her|their|its|this|current|new|updated|latest|total of|i think"
    r"|please|also|now|ok|okay|well|no|yes|actually|we have|we've got|there is|there are)\s",
    re.IGNORECASE,
)
_STOP = words(
    """
    i we you he she it they this that these those there here what which who how when where why is
    are was were be been has have had do does did will would can could should may might must and
    or but not no yes so to of in on at by for from with about into over under than then as if me
    us him her them my our your his their its the a an some any all more most less least very
    just only also paid pay spend spent got get gets said say says asked need needs
    want wants please thanks around roughly approximately exactly nearly almost between now today
    tomorrow yesterday until since during per each every another other
    """
)
# "for the year", "per month" are not part of a key; "for Q3" is.
_TAIL = re.compile(r"(?<=\w)\s(?:for|in|per|on|this|over)\s[a-z ]+$")
_WORD = re.compile(r"[\w&/'’#+.-]+")
MOST_WORDS = 4


def key_before(left: str) -> tuple[str, bool] | None:
    """Find the key in the text before a value, and whether it is stated explicitly."""
    for pattern in (_CHANGE, _IS):
        match = pattern.search(left)
        if match:
            key = _clean(match["key"]) or match.groupdict().get("does")
            return (key, True) if key else None
    beside = _BESIDE.search(left)
    key = _clean(beside["key"]) if beside else ""
    return (key, False) if key and key.split()[-1].casefold() not in _STOP else None


def key_after(right: str) -> str | None:
    """Find the key after a value: a $10,000 budget, 65% of the cost."""
    match = _FOLLOWING.match(right)
    if not match:
        return None
    first, *rest = match["key"].split()
    if first.casefold() in _STOP or first.endswith(("ed", "ing")):
        return None
    return " ".join([first, *(word for word in rest if word.casefold() not in _STOP)])


def topic(sentence: str) -> str | None:
    """Return the topic of a sentence, often a question."""
    words = [
        word for word in _WORD.findall(sentence.rstrip("?.! ")) if not is_stop(word.casefold())
    ]
    return _clean(" ".join(words[-MOST_WORDS:])) or None


def is_stop(word: str) -> bool:
    """Return whether a lower-case word is a function word."""
    return word in _STOP or len(word) == 1


def _clean(phrase: str) -> str:
    """Strip leading phrases, and function words at both ends."""
    phrase = _CUT.split(phrase)[-1].strip()
    while (leading := _LEADING.match(phrase)) is not None:
        phrase = phrase[leading.end() :]
    parts = phrase.split()
    while parts and parts[0].casefold() in _STOP:
        parts.pop(0)
    while parts and parts[-1].casefold() in _STOP:
        parts.pop()
    return " ".join(_TAIL.sub("", " ".join(parts)).split()[-MOST_WORDS:]).strip(" .'’-")

"""Extract the statements of a Korean clause by rule."""

import re
from collections.abc import Iterator

from saegim.memory.rules.attributes import Attribute, Claim
from saegim.memory.rules.loader import load

_RULES = load("ko")
_SUBJECT = re.compile(
    rf"(?:(?:우리|저희|내|제)\s?)?(?P<kin>{_RULES.kin})(?:\s(?P<name>[가-힣]{{2,4}}?))?"
    r"(?:이?가|이?는|은|이?도|이?한테는|에게는|의|께서는?|네)?(?=\s|$)"
)
_ASKED_OF = re.compile(r"이름|나이|생일|직업|키|몸무게|회사|학교|전화|취미|고향|전공")
_OWNED = re.compile(
    r"(?P<kin>[가-힣A-Za-z0-9]{2,12}(?:\s[가-힣A-Za-z0-9]{1,12})?"
    r"\s?(?:프로젝트|과제|행사|여행|팀|서비스|캠페인))(?:의|은|는|이|가)?\s"
)
_OF_THINGS = ("budget", "deadline", "schedule", "setting")
_WHO = ("pet", "child", "family", "partner")
_PHRASES = (
    *("manner", "limit", "todo", "decision", "goal", "plan", "event", "milestone", "habit"),
    *("note", "schedule"),
)
_MARKED = {"은": True, "는": False, "이": True, "가": False, "을": True, "를": False, "도": None}
_ENDS_IN_I = ("고양이", "어린이", "거북이", "쌍둥이", "아이", "종이", "오이", "냥이", "댕댕이")
_PARTICLE = re.compile(
    r"(?<=[가-힣A-Za-z0-9])(?:이랑|랑|으로는|으로|에서는|에서|에게|한테|까지|부터|이라는|라는|이라고|라고"
    r"|은|는|이|가|을|를|도|만|의|에|로|와|과|야|요)$"
)
_LEAD = re.compile(
    r"^(?:나는|난|내가|나도|나|저는|전|제가|저도|저|우리는|우리|저희는|저희|내|제|근데|그리고|참고로|사실|아"
    r"|음|참|그런데|요즘|요즘은|지금은|지금|이제는|이제|현재|현재는|원래|아직|이미|벌써|그냥|좀|너무|정말"
    r"|진짜|제일|가장|특히|새로|최근에|얼마\s전에|기억해\s?줘|메모)[\s,:]+"
)


def claims(clause: str, *, last: bool) -> Iterator[Claim]:
    """Yield the statements of a clause; `last`: it ends its sentence and can be a question."""
    for rule, match in _RULES.fitting(clause, last=last):
        groups = match.groupdict()
        noun = rule.attribute.slug not in _PHRASES
        value = bare(groups.get("v") or groups.get("w") or "", noun=noun)
        if not value:
            continue
        subject = groups.get("s") or (_subject(clause, rule.attribute) if rule.of_others else "")
        yield _RULES.claim(rule, clause, bare(subject), value)


def bare(value: str, *, noun: bool = False) -> str:
    """Strip leading words and the particle of a phrase; of a `noun`, also marked words before."""
    value = value.strip(" ,.'\"“”‘’!~")
    if noun:
        value = _without_marked(value)
    while (lead := _LEAD.match(value + " ")) is not None and lead.end() <= len(value):
        value = value[lead.end() :].strip()
    whole = len(value) <= 2 or value.rpartition(" ")[2] in _ENDS_IN_I
    return value if whole else _PARTICLE.sub("", value)


def _without_marked(value: str) -> str:
    """Return the words after the last one with a particle: 땅콩 for 딸이 땅콩."""
    words = value.split()
    for index in range(len(words) - 2, -1, -1):
        if _is_marked(words[index]):
            return " ".join(words[index + 1 :])
    return value


def _is_marked(word: str) -> bool:
    if len(word) < 2 or word in _ENDS_IN_I or word[-1] not in _MARKED:
        return False
    closed = _MARKED[word[-1]]
    return closed is None or not "가" <= word[-2] <= "힣" or closed == _has_final(word[-2])


def _has_final(syllable: str) -> bool:
    return (ord(syllable) - 0xAC00) % 28 != 0


def _subject(clause: str, attribute: Attribute) -> str:
    """Return the subject; "" for the speaker."""
    if attribute.slug in _OF_THINGS:
        owned = _OWNED.search(clause)
        return owned["kin"] if owned else ""
    match = None if attribute.slug in _WHO else _SUBJECT.search(clause)
    if match is None:
        return ""
    name = match["name"]
    if name is None or _ASKED_OF.fullmatch(name):
        return match["kin"]
    return f"{match['kin']} {_without_i(name)}"


def _without_i(name: str) -> str:
    """Strip the 이 that names with a final consonant take: 서연이 is 서연."""
    closed = len(name) > 2 and name.endswith("이") and _has_final(name[-2])
    return name[:-1] if closed else name

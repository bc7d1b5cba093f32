"""What the user said about themselves: which statements answer a question, or match a request."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from saegim.memory.rules.attributes import ATTRIBUTES, Cardinality, Claim
from saegim.memory.rules.clauses import clauses
from saegim.memory.rules.extractor import extract_statements, first_claim
from saegim.memory.rules.loader import load
from saegim.memory.rules.relations import says_the_same
from saegim.text.analysis import fold, index_terms, language, query_terms

MOST = 5
# Share of the words of a request that a statement must have to be meant by it.
_MEANT = 0.5
_MEANING_WEIGHT = 1.6


@dataclass(frozen=True, slots=True)
class UserStatement:
    """A statement of the user that is valid now; `marker` cites it, if it is in the context."""

    text: str
    at: datetime
    topic: str = ""
    id: str | None = None
    marker: str | None = None


# Words of a question that ask for an attribute.
_ASKED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("name",), r"이름|성함|닉네임|뭐라고 (?:불러|부르)|\bmy name\b|\bi(?:'m| am)? called\b|\bcall me\b"),
    (("home",), r"(?:어디|어느 (?:동네|도시|지역))\S{0,3}\s?(?:에서?\s?)?(?:살|사는|산다|거주|사(?:냐|니|나|세|시|지))|사는 (?:곳|데|동네|지역|도시)|거주지|우리 ?집|내 ?집|제 ?집|집(?:이|은|주소)|이사|\bwhere (?:do|did|am) i (?:now )?(?:live|living|move|stay)\w*|\bi (?:currently |now )?live\b|\bmy (?:home|address|city|town|neighbou?rhood|apartment|place)\b"),
    (("work", "team", "job"), r"(?:어디|어느 (?:회사|팀|부서))\S{0,3}\s?(?:에서?\s?|로\s?)?(?:일|근무|출근|다니|다녀|다닌|소속)|직장|회사|출근|근무지|일터|부서|소속|어느 팀|무슨 팀|우리 ?팀|\bwhere (?:do|did) i (?:now )?(?:work|commute)\b|\bmy (?:company|employer|office|workplace|team|department)\b|\b(?:who|which (?:company|team)) do i work (?:for|on|in|with)\b|\bi work\b"),
    (("job", "work"), r"직업|직무|직책|직함|무슨 일|하는 일|포지션|맡(?:은|고)|역할|\bmy (?:job|role|position|occupation|profession|title)\b|\bwhat do i do (?:for|at|as)\b|\bwhat(?:'s| is) my job\b|\bfor a living\b"),
    (("age", "birthday"), r"몇 ?살|나이|연세|\bhow old am i\b|\bmy age\b"),
    (("birthday",), r"생일|생년|태어난 ?날|언제 태어|\bmy birthday\b|\bwhen was i born\b"),
    (("birthplace",), r"고향|출신|태어난 ?곳|어디서? 태어|\bwhere (?:was|am) i (?:born|from)\b|\bmy hometown\b"),
    (("blood_type",), r"혈액형|\bblood type\b"),
    (("allergy", "diet", "limit", "taste", "condition"), r"못 ?먹|안 ?먹|먹으면 ?안|먹지 ?(?:못|않|말)|알레르기|알러지|가리는 (?:음식|거)|\ballerg|\b(?:can'?t|cannot|don'?t|should(?:n'?t| not)|avoid) (?:i )?(?:eat|eating|drink|have)\b|\bi (?:can'?t|cannot|don'?t|shouldn'?t) (?:eat|drink|have)\b|\bmy diet\b|\bshould i avoid\b"),
    (("condition", "medication", "allergy"), r"지병|병이|아픈|건강|무슨 약|먹는 약|복용|처방|\bmy (?:health|condition|medication|meds|medicine)\b"),
    (("pet",), r"반려|강아지|고양이|댕댕이|냥이|개\b|키우는|애완|\bmy (?:pets?|dog|cat|puppy|kitten)\b|\bpets?\b"),
    (("partner", "marriage", "family", "child"), r"남편|아내|와이프|배우자|결혼|여자친구|남자친구|여친|남친|\bmy (?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc\w+)\b|\bam i married\b"),
    (("child", "family"), r"아이|자녀|아들|딸|애들|몇 남매|가족|동생|형제|부모|\bmy (?:kids?|children|son|daughter|family|brother|sister|parents?|mom|dad)\b"),
    (("school", "major"), r"학교|대학|전공|학과|\bmy (?:school|university|college|major|degree)\b|\bwhere (?:do|did) i (?:study|go to school)\b|\bwhat (?:do|did) i (?:study|major)\b"),
    (("hobby", "habit", "taste", "schedule", "other", "event"), r"취미|운동|여가|쉬는 날|무슨 요일|[월화수목금토일]요일\S{0,3}\s?(?:에|마다)?.{0,8}(?:뭐|뭘|무엇|어디)|매주|매일|마다 (?:뭐|뭘)|즐기|배우|\bmy (?:hobby|hobbies|routine|workout|exercise|schedule)\b|\bwhat do i do (?:on|every|for fun|in my)\b|\bwhat (?:sport|exercise|workout)s?\b|\bfor fun\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"),
    (("taste", "hobby", "diet"), r"좋아하|좋아해|선호|취향|싫어하|싫어해|즐겨|\b(?:do|did) i (?:like|love|prefer|enjoy|hate|dislike|drink)\b|\bmy favou?rite\b|\bmy (?:preference|taste)s?\b|\bi (?:like|love|prefer|hate)\b"),
    (("vehicle", "device", "possession"), r"무슨 차|내 ?차|제 ?차|차종|노트북|컴퓨터|폰|기기|장비|\bmy (?:car|laptop|phone|computer|device|bike)\b|\bwhat (?:car|laptop|phone|bike) do i\b|\bdo i drive\b"),
    (("language", "skill"), r"무슨 언어|어떤 언어|언어를|잘하는|할 줄 아는|기술|\bwhat languages?\b|\bmy skills?\b|\bdo i speak\b"),
    (("budget", "salary"), r"예산|연봉|월급|수입|\bmy (?:budget|salary|income)\b"),
    (("deadline", "schedule", "plan", "todo", "event", "milestone"), r"마감|일정|약속|계획|예정|할 ?일|여행|출장|휴가|미팅|회의|발표|언제 (?:가|하|떠나|시작)|\bmy (?:deadline|schedule|plans?|trip|vacation|meeting|flight|appointment|to-?do)\b|\bwhen (?:do|am|is) (?:i|my)\b|\bwhere am i (?:going|traveling|travelling)\b"),
    (("project", "goal", "decision"), r"프로젝트|목표|결정|\bmy (?:project|goal)s?\b|\bam i working on\b"),
    (("manner",), r"어떻게 (?:답|말|불러)|말투|존댓말|반말|\bhow should you (?:answer|reply|call)\b"),
    (("height", "weight"), r"키가|몸무게|체중|\bhow (?:tall|heavy)\b|\bmy (?:height|weight)\b"),
)  # fmt: skip
_PATTERNS = tuple((slugs, re.compile(pattern)) for slugs, pattern in _ASKED)
_KIN = {locale: re.compile(load(locale).kin, re.IGNORECASE) for locale in ("ko", "en")}


def asked_attributes(question: str) -> tuple[str, ...]:
    """Return the attributes that a question about oneself asks for, the likeliest first."""
    folded = fold(question)
    found = (slug for slugs, pattern in _PATTERNS if pattern.search(folded) for slug in slugs)
    return tuple(dict.fromkeys(found))


def statements_in(message: str, at: datetime, marker: str | None = None) -> list[UserStatement]:
    """Return the statements of a message about its author."""
    return [
        UserStatement(each.content, at, each.topic, marker=marker)
        for each in extract_statements(message)
    ]


def current(statements: Iterable[UserStatement]) -> list[UserStatement]:
    """Drop repetitions, and what a later statement of the same attribute replaced; newest first."""
    newest: list[UserStatement] = []
    single: set[tuple[str, str]] = set()
    for statement in sorted(statements, key=lambda each: each.at, reverse=True):
        claim = claim_of(statement.text)
        if any(says_the_same(statement.text, other.text) for other in newest):
            continue
        if claim is not None and claim.attribute.hold is not Cardinality.MANY and not claim.general:
            key = (claim.attribute.slug, claim.subject)
            if key in single:
                continue
            single.add(key)
        newest.append(statement)
    return newest


def answering(
    question: str,
    statements: Sequence[UserStatement],
    similar: Mapping[str, float] | None = None,
) -> list[UserStatement]:
    """Return the current statements that answer a question about oneself, the best first.

    `similar` has the similarity of statements to the question, if it is about what was said.
    """
    known = current(statements)
    attributes = asked_attributes(question)
    terms = set(query_terms(question))
    scored = [
        (
            _fit(statement, attributes, terms, question)
            + _MEANING_WEIGHT * max(0.0, (similar or {}).get(statement.text, 0.0)),
            -order,
            statement,
        )
        for order, statement in enumerate(known)
    ]
    best = max((fit for fit, _, _ in scored), default=0.0)
    if best < 1.0:
        return []
    chosen = [entry for entry in scored if entry[0] >= max(1.0, best - 0.5)]
    chosen.sort(key=lambda entry: entry[:2], reverse=True)
    return _per_attribute([statement for _, _, statement in chosen])[:MOST]


def _fit(
    statement: UserStatement, attributes: Sequence[str], terms: set[str], question: str
) -> float:
    """Return how well a statement answers: 1 or more if it does."""
    slug = slug_of(statement)
    held = set(index_terms(f"{statement.topic} {statement.text}"))
    shared = len(terms & held) / len(terms) if terms else 0.0
    if _kin(question) != _kin(statement.text) and "family" not in attributes:
        return 0.4 * shared
    if slug in attributes:
        return 2.0 - 0.3 * attributes.index(slug) + shared
    return 2.5 * shared if not attributes else 1.5 * shared


def _kin(text: str) -> str:
    match = _KIN[language(text)].search(text)
    return match.group().casefold() if match else ""


def _per_attribute(statements: Sequence[UserStatement]) -> list[UserStatement]:
    """Keep one statement of an attribute with one value, the first."""
    chosen: list[UserStatement] = []
    seen: set[str] = set()
    for statement in statements:
        slug = slug_of(statement)
        attribute = ATTRIBUTES.get(slug)
        single = attribute is not None and attribute.hold is not Cardinality.MANY
        if single and slug in seen:
            continue
        seen.add(slug)
        chosen.append(statement)
    return chosen


def slug_of(statement: UserStatement) -> str:
    """Return the attribute of a statement: by its words, else by its topic."""
    claim = claim_of(statement.text)
    if claim is not None:
        return claim.attribute.slug
    return next(
        (
            slug
            for slug, attribute in ATTRIBUTES.items()
            if any(name and statement.topic.endswith(name) for name in attribute.names.values())
        ),
        "other",
    )


def claim_of(text: str) -> Claim | None:
    """Return the first statement that the rules read in a text."""
    for clause in clauses(text):
        claim = first_claim(clause.text, language(clause.text), last=clause.last)
        if claim is not None:
            return claim
    return None


# --- requests to forget ---

_EVERYTHING = re.compile(
    r"(?:전부|모두|다|싹|몽땅|죄다|모든 (?:걸|것|거|기억|정보))\s?(?:다\s?)?(?:잊|지|삭제|없애|제거)|나에 대한 (?:거|것|모든|기억)\S*\s?(?:전부|모두|다)|\b(?:forget|delete|erase|wipe|clear|remove) (?:everything|all|it all|my (?:entire |whole )?(?:memory|memories|profile|data))\b"
)
_REQUEST = re.compile(
    r"(?:이제\s?)?(?:그만\s?)?(?:좀\s?|제발\s?|그냥\s?)?(?:잊어|지워|삭제해|없애|제거해|빼|기억하지 ?(?:마|말아))\s?(?:줘|주라|주세요|버려|주실래요?|줄래|라|요|줘요)?|기억에서|기억(?:은|을)?|(?:사실|내용|정보|얘기|이야기|말|것|거|건|걸)(?:은|는|을|를|도)?(?=\s|$)|아까|방금|전에|말한|얘기한|했던|이제|관련|대해|대한|관한"
    r"|\b(?:please|forget|delete|erase|remove|wipe|stop remembering|about|that|the (?:fact|thing|part)|what i (?:said|told you)|from (?:your |my )?(?:memory|memories)|i told you|i said|you (?:know|remember)|can you|could you|anymore|any more)\b"
)


def asks_for_everything(message: str) -> bool:
    """Return whether a request to forget means the whole memory."""
    return _EVERYTHING.search(fold(message)) is not None


def meant_by(request: str, statements: Sequence[UserStatement]) -> list[UserStatement]:
    """Return the statements that a request to forget means, the best first."""
    rest = _REQUEST.sub(" ", fold(request))
    terms = set(query_terms(rest)) if re.search(r"\w", rest) else set[str]()
    attributes = asked_attributes(request)
    if not terms:
        return []
    scored: list[tuple[float, UserStatement]] = []
    for statement in statements:
        held = set(index_terms(f"{statement.topic} {statement.text}"))
        shared = len(terms & held) / len(terms)
        of_attribute = bool(attributes) and slug_of(statement) in attributes[:2]
        scored.append((shared + 0.4 * of_attribute, statement))
    best = max((score for score, _ in scored), default=0.0)
    if best < _MEANT:
        by_slot = [each for each in statements if attributes and slug_of(each) == attributes[0]]
        return by_slot if len(by_slot) == 1 else []
    return [statement for score, statement in scored if score >= max(_MEANT, 0.8 * best)]

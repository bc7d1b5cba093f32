"""Attributes of a user that the rule-based fallbacks recognise."""

from dataclasses import dataclass
from enum import StrEnum

from saegim.domain.scope import Locale
from saegim.memory.types import MemoryType


class Cardinality(StrEnum):
    """How many values an attribute has.

    ONE: a new value replaces the old one (home, budget). FIXED: another value is a correction or a
    contradiction. MANY: values add up (children, pets, skills).
    """

    ONE = "one"
    FIXED = "fixed"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A kind of statement; weights are 0 to 1."""

    slug: str
    names: dict[Locale, str]
    type: MemoryType
    hold: Cardinality
    salience: float
    stability: float
    future_use: float
    core: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a clause: subject, attribute and value.

    `general`: no specific rule matched. `negated`: it is not, or no longer, true.
    """

    attribute: Attribute
    subject: str
    value: str
    general: bool = False
    negated: bool = False
    corrects: bool = False


_FACT, _PROFILE, _TIMELINE = MemoryType.FACT, MemoryType.PROFILE, MemoryType.TIMELINE
_CONSTRAINT, _PREFERENCE = MemoryType.CONSTRAINT, MemoryType.PREFERENCE
_ONE, _FIXED, _MANY = Cardinality.ONE, Cardinality.FIXED, Cardinality.MANY


def _attribute(
    slug: str,
    names: tuple[str, str],
    type_: MemoryType,
    hold: Cardinality,
    weights: tuple[float, float, float],
    core: bool = False,
) -> Attribute:
    return Attribute(slug, {"ko": names[0], "en": names[1]}, type_, hold, *weights, core)


_HIGH, _GOOD, _MIDDLE, _LOW = (0.9, 0.9, 0.9), (0.8, 0.7, 0.8), (0.6, 0.6, 0.6), (0.5, 0.4, 0.5)

ATTRIBUTES: dict[str, Attribute] = {
    each.slug: each
    for each in (
        _attribute("name", ("이름", "name"), _PROFILE, _FIXED, _HIGH, core=True),
        _attribute("age", ("나이", "age"), _PROFILE, _ONE, _MIDDLE),
        _attribute("birthday", ("생일", "birthday"), _PROFILE, _FIXED, _HIGH),
        _attribute("birthplace", ("고향", "birthplace"), _PROFILE, _FIXED, _GOOD),
        _attribute("blood_type", ("혈액형", "blood type"), _PROFILE, _FIXED, _HIGH, core=True),
        _attribute("home", ("거주지", "home"), _PROFILE, _ONE, _GOOD, core=True),
        _attribute("work", ("직장", "workplace"), _PROFILE, _ONE, _GOOD, core=True),
        _attribute("job", ("직업", "job"), _PROFILE, _ONE, _GOOD, core=True),
        _attribute("school", ("학교", "school"), _PROFILE, _ONE, _GOOD),
        _attribute("major", ("전공", "major"), _PROFILE, _FIXED, _GOOD),
        _attribute("marriage", ("결혼 상태", "marital status"), _PROFILE, _ONE, _GOOD, core=True),
        _attribute("partner", ("배우자", "partner"), _PROFILE, _ONE, _GOOD),
        _attribute("child", ("자녀", "children"), _PROFILE, _MANY, _GOOD),
        _attribute("family", ("가족", "family"), _PROFILE, _MANY, _MIDDLE),
        _attribute("pet", ("반려동물", "pets"), _PROFILE, _MANY, _GOOD),
        _attribute("height", ("키", "height"), _PROFILE, _ONE, _MIDDLE),
        _attribute("weight", ("몸무게", "weight"), _PROFILE, _ONE, _MIDDLE),
        _attribute("vehicle", ("차", "car"), _FACT, _ONE, _MIDDLE),
        _attribute("device", ("기기", "device"), _FACT, _MANY, _LOW),
        _attribute("possession", ("소유", "possession"), _FACT, _MANY, _LOW),
        _attribute("skill", ("기술", "skills"), _PROFILE, _MANY, _MIDDLE),
        _attribute("language", ("언어", "languages"), _PROFILE, _MANY, _GOOD),
        _attribute("hobby", ("취미", "hobbies"), _PREFERENCE, _MANY, _MIDDLE),
        _attribute("habit", ("습관", "habits"), _FACT, _MANY, _MIDDLE),
        _attribute("taste", ("취향", "tastes"), _PREFERENCE, _MANY, _MIDDLE),
        _attribute("manner", ("답변 방식", "how to answer"), _PREFERENCE, _MANY, _GOOD),
        _attribute("allergy", ("알레르기", "allergies"), _CONSTRAINT, _MANY, _HIGH, core=True),
        _attribute("condition", ("건강", "health"), _FACT, _MANY, _HIGH, core=True),
        _attribute("medication", ("복용약", "medication"), _CONSTRAINT, _MANY, _HIGH, core=True),
        _attribute("diet", ("식단", "diet"), _CONSTRAINT, _MANY, _HIGH, core=True),
        _attribute("limit", ("제약", "constraints"), _CONSTRAINT, _MANY, _GOOD),
        _attribute("budget", ("예산", "budget"), _CONSTRAINT, _ONE, _GOOD),
        _attribute("salary", ("수입", "income"), _FACT, _ONE, _GOOD),
        _attribute("deadline", ("마감", "deadline"), _TIMELINE, _ONE, _GOOD),
        _attribute("schedule", ("일정", "schedule"), _TIMELINE, _MANY, _MIDDLE),
        _attribute("team", ("팀", "team"), _PROFILE, _ONE, _MIDDLE),
        _attribute("project", ("프로젝트", "projects"), _FACT, _MANY, _MIDDLE),
        _attribute("goal", ("목표", "goals"), _FACT, _MANY, _GOOD),
        _attribute("plan", ("계획", "plans"), _TIMELINE, _MANY, _MIDDLE),
        _attribute("milestone", ("이정표", "milestones"), _TIMELINE, _MANY, _HIGH, core=True),
        _attribute("event", ("있었던 일", "events"), _TIMELINE, _MANY, _MIDDLE),
        _attribute("decision", ("결정", "decisions"), MemoryType.DECISION, _MANY, _GOOD),
        _attribute("todo", ("할 일", "to do"), MemoryType.TODO, _MANY, _MIDDLE),
        _attribute("setting", ("설정", "settings"), _FACT, _ONE, _MIDDLE),
        _attribute("other", ("기타", "other"), _FACT, _MANY, _LOW),
        _attribute("note", ("메모", "notes"), MemoryType.NOTE, _MANY, _GOOD),
    )
}

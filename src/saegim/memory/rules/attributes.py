"""What a person can say of themselves, as the twins know it: one value or several, how lasting."""

from dataclasses import dataclass
from enum import StrEnum

from saegim.domain.scope import Locale
from saegim.memory.types import MemoryType


class Cardinality(StrEnum):
    """How many values an attribute has, and whether they change."""

    ONE = "one"
    """A new value takes the old one's place: home, budget."""
    FIXED = "fixed"
    """One value for life: another one is a correction or a contradiction."""
    MANY = "many"
    """Values add up: children, pets, skills."""


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
    """What a clause says: of whom, which attribute, which value, or that it no longer holds.

    A `general` claim is what is left where nothing more exact was read. `corrects` is one that
    sets something right."""

    attribute: Attribute
    subject: str
    value: str
    general: bool = False
    negated: bool = False
    corrects: bool = False


_FACT, _PROFILE, _TIMELINE = MemoryType.FACT, MemoryType.PROFILE, MemoryType.TIMELINE
_CONSTRAINT, _PREFERENCE = MemoryType.CONSTRAINT, MemoryType.PREFERENCE
_ONE, _FIXED, _MANY = Cardinality.ONE, Cardinality.FIXED, Cardinality.MANY


def _made(
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
    made.slug: made
    for made in (
        _made("name", ("이름", "name"), _PROFILE, _FIXED, _HIGH, core=True),
        _made("age", ("나이", "age"), _PROFILE, _ONE, _MIDDLE),
        _made("birthday", ("생일", "birthday"), _PROFILE, _FIXED, _HIGH),
        _made("birthplace", ("고향", "birthplace"), _PROFILE, _FIXED, _GOOD),
        _made("blood_type", ("혈액형", "blood type"), _PROFILE, _FIXED, _HIGH, core=True),
        _made("home", ("거주지", "home"), _PROFILE, _ONE, _GOOD, core=True),
        _made("work", ("직장", "workplace"), _PROFILE, _ONE, _GOOD, core=True),
        _made("job", ("직업", "job"), _PROFILE, _ONE, _GOOD, core=True),
        _made("school", ("학교", "school"), _PROFILE, _ONE, _GOOD),
        _made("major", ("전공", "major"), _PROFILE, _FIXED, _GOOD),
        _made("marriage", ("결혼 상태", "marital status"), _PROFILE, _ONE, _GOOD, core=True),
        _made("partner", ("배우자", "partner"), _PROFILE, _ONE, _GOOD),
        _made("child", ("자녀", "children"), _PROFILE, _MANY, _GOOD),
        _made("family", ("가족", "family"), _PROFILE, _MANY, _MIDDLE),
        _made("pet", ("반려동물", "pets"), _PROFILE, _MANY, _GOOD),
        _made("height", ("키", "height"), _PROFILE, _ONE, _MIDDLE),
        _made("weight", ("몸무게", "weight"), _PROFILE, _ONE, _MIDDLE),
        _made("vehicle", ("차", "car"), _FACT, _ONE, _MIDDLE),
        _made("device", ("기기", "device"), _FACT, _MANY, _LOW),
        _made("possession", ("소유", "possession"), _FACT, _MANY, _LOW),
        _made("skill", ("기술", "skills"), _PROFILE, _MANY, _MIDDLE),
        _made("language", ("언어", "languages"), _PROFILE, _MANY, _GOOD),
        _made("hobby", ("취미", "hobbies"), _PREFERENCE, _MANY, _MIDDLE),
        _made("habit", ("습관", "habits"), _FACT, _MANY, _MIDDLE),
        _made("taste", ("취향", "tastes"), _PREFERENCE, _MANY, _MIDDLE),
        _made("manner", ("답변 방식", "how to answer"), _PREFERENCE, _MANY, _GOOD),
        _made("allergy", ("알레르기", "allergies"), _CONSTRAINT, _MANY, _HIGH, core=True),
        _made("condition", ("건강", "health"), _FACT, _MANY, _HIGH, core=True),
        _made("medication", ("복용약", "medication"), _FACT, _MANY, _HIGH, core=True),
        _made("diet", ("식단", "diet"), _CONSTRAINT, _MANY, _HIGH, core=True),
        _made("limit", ("제약", "constraints"), _CONSTRAINT, _MANY, _GOOD, core=True),
        _made("budget", ("예산", "budget"), _FACT, _ONE, _GOOD),
        _made("salary", ("수입", "income"), _FACT, _ONE, _GOOD),
        _made("deadline", ("마감", "deadline"), _TIMELINE, _ONE, _GOOD),
        _made("schedule", ("일정", "schedule"), _TIMELINE, _MANY, _MIDDLE),
        _made("team", ("팀", "team"), _PROFILE, _ONE, _MIDDLE),
        _made("project", ("프로젝트", "projects"), _FACT, _MANY, _MIDDLE),
        _made("goal", ("목표", "goals"), _FACT, _MANY, _GOOD, core=True),
        _made("plan", ("계획", "plans"), _TIMELINE, _MANY, _MIDDLE),
        _made("milestone", ("이정표", "milestones"), _TIMELINE, _MANY, _HIGH, core=True),
        _made("event", ("있었던 일", "events"), _TIMELINE, _MANY, _MIDDLE),
        _made("decision", ("결정", "decisions"), MemoryType.DECISION, _MANY, _GOOD),
        _made("todo", ("할 일", "to do"), MemoryType.TODO, _MANY, _MIDDLE),
        _made("setting", ("설정", "settings"), _FACT, _ONE, _MIDDLE),
        _made("other", ("기타", "other"), _FACT, _MANY, _LOW),
        _made("note", ("메모", "notes"), MemoryType.NOTE, _MANY, _GOOD),
    )
}

"""Forty pairs of statements through the whole pipeline, by rules and by a scripted model."""

import re
from datetime import UTC, datetime

import pytest

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.rules.relations import Relation
from saegim.memory.types import Action, MemoryType, Origin
from tests.integration.memory.turns import Hands, Talk
from tests.sizes import sized
from tests.stack import Databases, new_stack
from tests.unit.memory.cases import CASES, Case

START = datetime(2026, 9, 1, 9, tzinfo=UTC)


def extractor(shown: RecordedRequest) -> Reply:
    """A model that remembers every message verbatim and relates it as the cases expect."""
    [turns] = shown.blocks("turns")
    known = re.findall(r"\[(\d+)\] \S+: (.*)", "\n".join(shown.blocks("known")))
    statements: list[StatementForm] = []
    for said in re.findall(r"user: (.*)", turns):
        fact = StatementForm(type=MemoryType.FACT, content=said, quote=said, topic="사실")
        for number, content in known:
            for case in CASES:
                if (case.said, case.known) == (said.strip(), undated(content)):
                    related = {"relation": case.relation, "known": int(number)}
                    fact = fact.model_copy(update=related)
        statements.append(fact)
    return Extraction(statements=statements)


def undated(text: str) -> str:
    """Returns a statement without the days behind it."""
    return re.sub(r" \(2026[\d/, -]*\)$", "", text)


async def outcome(talk: Talk, case: Case, clock: Hands) -> tuple[list[str], Action | None]:
    """Returns the valid records after both statements, and the change of the first one."""
    await talk.say(case.known)
    [first] = await talk.known()
    clock.on(days=40)
    await talk.say(case.said)
    clock.on(days=1)
    scope = (await talk.stack.caller(talk.user)).scope
    trail = await talk.stack.services.memory.records.trail(scope, first.id, 1)
    contents = await talk.contents()
    return [undated(text.rstrip(".")) for text in contents], trail[0].action if trail else None


def expected(case: Case, relation: Relation) -> tuple[list[str], Action]:
    known, said = case.known.rstrip("."), case.said.rstrip(".")
    match relation:
        case Relation.NEW:
            return [known, said], Action.ADD
        case Relation.DUPLICATE:
            return [known], Action.ADD
        case Relation.REFINES:
            return [said], Action.REVISE
        case Relation.SUPERSEDES:
            return [said], Action.SUPERSEDE
        case Relation.CONTRADICTS:
            return [said], Action.CONTRADICT


@pytest.mark.sized
@pytest.mark.requirement("LM2", "LM7")
@pytest.mark.parametrize("by", [Origin.FALLBACK, Origin.MODEL])
async def test_cases_end_as_they_should(databases: Databases, by: Origin) -> None:
    clock = Hands(START)
    models = ScriptedModels({ModelRole.EXTRACTOR: extractor} if by is Origin.MODEL else {})
    wrong: list[str] = []
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        for number, case in enumerate(CASES[:: sized(2, 1)]):
            clock.at = START
            talk = Talk(stack, user=f"{by}-{number}")
            relation = (case.missed or case.relation) if by is Origin.FALLBACK else case.relation
            found = await outcome(talk, case, clock)
            if found != expected(case, relation):
                wrong.append(f"{case.known} / {case.said}: {found}, not {relation}")
    assert wrong == []


@pytest.mark.requirement("LM2")
async def test_a_correction_is_filed_with_what_it_corrects(databases: Databases) -> None:
    clock = Hands(START)
    async with new_stack(databases, Fakes(clock=clock)) as stack:
        talk = Talk(stack, user="latte")
        await talk.say("나는 라떼를 좋아해")
        [before] = await talk.known()
        clock.on(days=2)
        await talk.say("아니 라떼 말고 아메리카노로 바꿨어")
        [now] = await talk.known()
        assert "아메리카노" in now.content
        assert (now.type, now.topic) == (before.type, before.topic)

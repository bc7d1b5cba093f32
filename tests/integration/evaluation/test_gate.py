"""A deliberate regression fails the gate: newer records above better ones."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.evaluation import gate, people
from benchmarks.evaluation.memory import Bench
from benchmarks.evaluation.people import Told
from benchmarks.evaluation.searchers import EVERYTHING, RecallSearcher, RecollectionPart
from saegim.app.infrastructure import Fakes
from saegim.evaluation.play import StageClock
from saegim.evaluation.results import Figure
from saegim.evaluation.retrieval import ALL, Case, ask, summarise
from saegim.memory.recall.scoring import RecordWeights
from tests.integration.memory.records import PERSON, told
from tests.stack import Databases, Stack, new_stack

SESSIONS = 8
Recorded = tuple[Bench, Told, Sequence[Case]]


def first_sessions(raw: dict[str, Any]) -> dict[str, Any]:
    """The beginning of a person's two years, and what can be asked about it."""
    sessions = raw["sessions"][:SESSIONS]
    said = {turn["id"] for session in sessions for turn in session["turns"]}
    asked = [q for q in raw["questions"] if q["evidence"] and set(q["evidence"]) <= said]
    return raw | {"sessions": sessions, "questions": asked}


@pytest.fixture(scope="module")
async def recorded(databases: Databases) -> AsyncIterator[Recorded]:
    clock = StageClock(datetime(2024, 1, 1, tzinfo=UTC))
    async with new_stack(databases, Fakes(clock=clock)) as stack:
        bench = Bench(stack.services, clock, stack.tenant.key)
        raw = first_sessions(people.read("p1"))
        person = await bench.recorder.record(raw, "p1")
        await remember(stack, raw, person)
        yield bench, person, people.cases_of(raw, "all")


async def remember(stack: Stack, raw: dict[str, Any], person: Told) -> None:
    """Write a record of each message: without a model, extraction makes none."""
    said = {
        turn["id"]: (turn["message"], datetime.fromisoformat(session["started_at"]))
        for session in raw["sessions"]
        for turn in session["turns"]
    }
    scope, records = person.person.caller.scope, stack.services.memory.records
    for turn, name in person.person.names.items():
        message, at = said[name]
        await records.add(scope, told(message, at, source=turn), PERSON)


@pytest.mark.requirement("EV3")
async def test_a_recency_weight_of_nine_tenths_fails_the_gate(
    recorded: Recorded,
) -> None:
    pins = gate.pinned(await _figures(recorded, RecordWeights()))

    assert len(recorded[2]) >= 30
    assert not gate.fallen(await _figures(recorded, RecordWeights()), pins)
    regressed = RecordWeights(similarity=0.0875, recency=0.9, importance=0.0125)
    fallen = {each.name for each in gate.fallen(await _figures(recorded, regressed), pins)}
    assert "ndcg@10" in fallen


async def _figures(recorded: Recorded, weights: RecordWeights) -> dict[str, Figure]:
    bench, told, cases = recorded
    searcher = RecallSearcher(
        bench.recall(weights, EVERYTHING), told.person, RecollectionPart.RECORDS
    )
    found = summarise(await ask(searcher, cases))[ALL]
    return {name: found[name] for name in ("recall@5", "recall@10", "mrr", "ndcg@10")}

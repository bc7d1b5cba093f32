"""The model stub of `make bench-load` makes no job fail, and a failed job fails the run."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import pytest
from pydantic import BaseModel

from benchmarks.evaluation.extraction import turn_of
from benchmarks.load import model
from benchmarks.load.__main__ import beyond
from benchmarks.load.people import SETTLED
from saegim.domain.scope import Scope
from saegim.llm.types import StepPrompt, StructuredStep
from saegim.memory.extraction.extractor import EXTRACT, ExtractionInput, accepted, extract_prompt
from saegim.memory.synthesis.service import WORD, checked, wording_prompt
from saegim.memory.synthesis.types import DerivedKind, DerivedMemory, ExplainedMemory
from saegim.memory.types import MemoryType, Origin, Record
from saegim.text.tokens import count

AT = datetime(2026, 11, 18, tzinfo=UTC)
DECISION = SETTLED.format("예산 알림", "김서연", 30)
EARLIER = SETTLED.format("로그 보관", "이민수", 90)


def asked[T: BaseModel](step: StructuredStep[T], prompt: StepPrompt) -> T:
    """What the stub returns for a step, as the product reads it."""
    prompt = prompt.with_tags("a1b2")
    body = {
        "response_format": {"json_schema": {"schema": step.output.model_json_schema()}},
        "messages": [{"role": each.role, "content": each.text} for each in prompt.messages],
    }
    [choice] = model.completion(body)["choices"]
    return step.output.model_validate(json.loads(choice["message"]["content"]))


def observation(contents: Sequence[str]) -> ExplainedMemory:
    """An observation of some records."""
    nobody = UUID(int=0)
    records = tuple(
        Record(
            nobody, Scope(nobody, nobody, nobody), MemoryType.DECISION, content, 0.5, AT,
            None, None, (nobody,), content, "", frozenset(), 1, Origin.MODEL,
        )
        for content in contents
    )  # fmt: skip
    memory = DerivedMemory(
        id=nobody,
        kind=DerivedKind.OBSERVATION,
        title="",
        text="",
        sources=(nobody, nobody),
        proofs=2,
        confidence=0.5,
        first_seen=AT,
        last_seen=AT,
    )
    return ExplainedMemory(memory, records, ())


@pytest.mark.parametrize("message", [DECISION, "그건 왜 그래?"])
def test_extraction_quotes_the_new_turn_alone(message: str) -> None:
    given = ExtractionInput([turn_of(message, AT)], [turn_of(EARLIER, AT)])
    statements = asked(EXTRACT, extract_prompt(given)).statements
    kept = accepted(statements, given)
    assert len(kept) == len(statements) == (message == DECISION)


def test_synthesis_gets_sentences_that_pass_its_check() -> None:
    observations = [observation([DECISION, EARLIER]), observation([EARLIER, DECISION])]
    made = asked(WORD, wording_prompt(observations)).observations
    assert [each.number for each in made] == [0, 1]
    for sentence, each in zip(made, observations, strict=True):
        assert checked(sentence.sentence, each)


def test_answers_have_two_lengths_and_one_between() -> None:
    short, long = (count(model.answer(length)) for length in (model.SHORT, model.LONG))
    assert 60 < short < 100
    assert 400 < long < 500


FIGURES = {"in_time.turns_per_s": 1.0, "plan.error": 0.1, "jobs.failed": 0.0}


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [("in_time.turns_per_s", 0.0, "p95"), ("plan.error", 0.3, "plan"), ("jobs.failed", 1.0, "job")],
)
def test_a_load_run_fails_by_any_of_its_bounds(name: str, value: float, word: str) -> None:
    assert beyond(FIGURES) == []
    [reason] = beyond(FIGURES | {name: value})
    assert word in reason

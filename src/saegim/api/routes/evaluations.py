"""Evaluations of an assistant by own questions."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.evaluation.questions.types import RunReport, RunState, TestQuestion, key_of
from saegim.text.analysis import normalise

router = APIRouter(prefix="/v1/evaluations", tags=["evaluation"])


class TestQuestionView(View, extra="forbid"):
    """A question. `expected` is the id of a document that the answer must use, or words that it
    must contain, separated by commas."""

    __test__ = False

    question: Annotated[str, Field(min_length=1, max_length=2_000)]
    expected: Annotated[str, Field(min_length=1, max_length=500)]


class TestQuestionsBody(BaseModel, extra="forbid"):
    """All questions of an assistant."""

    __test__ = False
    model_config = example(questions=[{"question": "환불은 언제 되나요?", "expected": "7일"}])

    questions: Annotated[list[TestQuestionView], Field(max_length=200)]

    def values(self) -> list[TestQuestion]:
        texts = (
            (normalise(q.question).strip(), normalise(q.expected).strip()) for q in self.questions
        )
        return [TestQuestion(*each) for each in dict.fromkeys(texts) if all(each)]


class RunView(View):
    """A run. `score` is the share of right answers; `stopped` is a run that was refused, with the
    code in `error`, and `failed` one that broke off; `version` is that of the assistant, if it has
    versions."""

    run_id: UUID
    state: RunState
    error: str | None
    total: int
    done: int
    right_answers: int
    score: float | None
    version: int | None
    created_at: datetime
    finished_at: datetime | None


class RunsView(BaseModel):
    """Runs, newest first."""

    runs: list[RunView]


class RunResultView(View):
    """The answer to a question. `rank` is the place of the first passage of the search with what
    is expected; `right_before` is that of the run before, if it had the question."""

    question: str
    expected: str
    answer: str
    found: bool
    rank: int | None
    right: bool
    abstained: bool
    right_before: bool | None


class RunComparisonView(View):
    """Right answers of this run and the one before it, to the questions that both have."""

    before: UUID
    questions: int
    right: int
    right_before: int


class RunReportView(RunView):
    """A run with its results."""

    results: list[RunResultView]
    comparison: RunComparisonView | None


@router.get("/questions")
async def read_questions(call: CallDep) -> TestQuestionsBody:
    """Lists the questions of the caller's assistant."""
    questions = await call.services.evaluation.questions.questions(call.caller)
    return TestQuestionsBody(questions=TestQuestionView.each(questions))


@router.put("/questions")
async def save_questions(body: TestQuestionsBody, call: CallDep) -> TestQuestionsBody:
    """Replaces the questions of the caller's assistant. Repeated ones are stored once."""
    questions = body.values()
    action = AuditAction.EVALUATION_QUESTIONS_CHANGED
    async with call.recording(action, call.caller.assistant):
        await call.services.evaluation.questions.save(call.caller, questions)
    return TestQuestionsBody(questions=TestQuestionView.each(questions))


@router.post("", status_code=202)
async def start(call: CallDep) -> RunView:
    """Starts a run of the caller's assistant over its questions, in the background. 409 while one
    runs."""
    async with call.recording(AuditAction.EVALUATION_STARTED):
        run = await call.services.evaluation.questions.start(call.caller)
    return RunView.of(run)


@router.get("")
async def list_runs(call: CallDep) -> RunsView:
    """Lists the newest runs of the caller's assistant."""
    return RunsView(runs=RunView.each(await call.services.evaluation.questions.runs(call.caller)))


@router.get("/{run_id}")
async def read_run(run_id: UUID, call: CallDep) -> RunReportView:
    """Returns a run with its results, and compares it with the run before."""
    return _report(await call.services.evaluation.questions.report(call.caller, run_id))


@router.delete("/{run_id}", status_code=204)
async def remove_run(run_id: UUID, call: CallDep) -> None:
    """Deletes a run. One in progress stops."""
    async with call.recording(AuditAction.EVALUATION_REMOVED, run_id):
        await call.services.evaluation.questions.remove(call.caller, run_id)


def _report(report: RunReport) -> RunReportView:
    results = [
        RunResultView.of(each, right_before=report.right_before.get(key_of(each)))
        for each in report.results
    ]
    return RunReportView.of(report, report.run, run_id=report.run.id, results=results)

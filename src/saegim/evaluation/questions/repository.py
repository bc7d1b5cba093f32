"""Questions and runs in Postgres, encrypted with the tenant's key."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid5

from pydantic import TypeAdapter

from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain import pending_audit_event
from saegim.domain.errors import EvaluationRunning, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.evaluation.questions.types import (
    EvaluationRun,
    QuestionResult,
    RunInputs,
    RunState,
    TestQuestion,
)
from saegim.jobs.queue import JobQueue, exclusive_job
from saegim.jobs.types import JobKind

MOST_RUNS = 50
_QUESTIONS = TypeAdapter(tuple[TestQuestion, ...])
_INPUTS = TypeAdapter(RunInputs)
_RESULT = TypeAdapter(QuestionResult)


class PostgresEvaluations:
    def __init__(self, cells: Cells, keyring: Keyring, jobs: JobQueue, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock

    async def questions(self, tenant: UUID, assistant: UUID) -> tuple[TestQuestion, ...]:
        find = {"assistant": assistant}
        row = await self._cells.read_one(tenant, "find_evaluation_questions", **find)
        if row is None:
            return ()
        cipher = await self._keyring.tenant(tenant)
        return _QUESTIONS.validate_json(cipher.open(row["questions"], _of_set(assistant)))

    async def save(self, tenant: UUID, assistant: UUID, questions: Sequence[TestQuestion]) -> None:
        cipher = await self._keyring.tenant(tenant)
        text = _QUESTIONS.dump_json(tuple(questions)).decode()
        await self._cells.run_query(
            tenant,
            "save_evaluation_questions",
            assistant=assistant,
            questions=cipher.seal(text, _of_set(assistant)),
            now=self._clock.now(),
        )

    async def start(self, tenant: UUID, assistant: UUID, inputs: RunInputs) -> EvaluationRun:
        """Add a run with its job. Raises EvaluationRunning while another one of the assistant
        runs."""
        now = self._clock.now()
        identifier = new_id(now)
        cipher = await self._keyring.tenant(tenant)
        sealed = cipher.seal(_INPUTS.dump_json(inputs).decode(), _of_run(identifier))
        of_assistant = {"tenant": tenant, "assistant": assistant}
        async with self._cells.transaction(tenant) as connection:
            if await fetch_one(connection, "lock_evaluated_assistant", **of_assistant) is None:
                raise NotFound("assistant")
            await execute(connection, "end_lost_evaluations", **of_assistant, **self._lost())
            last = await fetch_all(connection, "list_evaluation_runs", **of_assistant, most=1)
            if last and last[0]["state"] == "running":
                raise EvaluationRunning("wait for its end")
            pending_audit_event.about(identifier)
            row = await fetch_one(
                connection,
                "add_evaluation_run",
                **of_assistant,
                run=identifier,
                inputs=sealed,
                total=len(inputs.questions),
                now=now,
            )
            assert row is not None, "its assistant is locked"
            await self._jobs.defer(connection, exclusive_job(JobKind.EVALUATE, tenant, identifier))
        return _run(row)

    async def end_lost(self, tenant: UUID, assistant: UUID) -> None:
        """End the runs of an assistant whose job failed for good."""
        values = {"assistant": assistant, **self._lost()}
        await self._cells.run_query(tenant, "end_lost_evaluations", **values)

    def _lost(self) -> dict[str, object]:
        return {"kind": str(JobKind.EVALUATE), "now": self._clock.now()}

    async def go_on(self, tenant: UUID, run: UUID) -> None:
        """Queue the rest of a run."""
        async with self._cells.transaction(tenant) as connection:
            await self._jobs.defer_now(connection, exclusive_job(JobKind.EVALUATE, tenant, run))

    async def runs(self, tenant: UUID, assistant: UUID) -> list[EvaluationRun]:
        values = {"assistant": assistant, "most": MOST_RUNS}
        return [
            _run(row) for row in await self._cells.read(tenant, "list_evaluation_runs", **values)
        ]

    async def find(self, tenant: UUID, run: UUID) -> tuple[EvaluationRun, RunInputs]:
        """Return a run. Raises NotFound."""
        row = await self._cells.read_one(tenant, "find_evaluation_run", run=run)
        if row is None:
            raise NotFound("evaluation")
        cipher = await self._keyring.tenant(tenant)
        return _run(row), _INPUTS.validate_json(cipher.open(row["inputs"], _of_run(run)))

    async def before(self, tenant: UUID, assistant: UUID, at: datetime) -> EvaluationRun | None:
        values = {"assistant": assistant, "before": at}
        row = await self._cells.read_one(tenant, "evaluation_run_before", **values)
        return None if row is None else _run(row)

    async def results(self, tenant: UUID, run: UUID) -> dict[int, QuestionResult]:
        """Return the results of a run by the number of the question."""
        cipher = await self._keyring.tenant(tenant)
        return {
            row["number"]: _RESULT.validate_json(
                cipher.open(row["content"], _of_result(run, row["number"]))
            )
            for row in await self._cells.read(tenant, "list_evaluation_results", run=run)
        }

    async def add(self, tenant: UUID, run: UUID, number: int, result: QuestionResult) -> None:
        """Store a result once; one of a deleted run is dropped."""
        cipher = await self._keyring.tenant(tenant)
        text = _RESULT.dump_json(result).decode()
        await self._cells.run_query(
            tenant,
            "add_evaluation_result",
            run=run,
            number=number,
            content=cipher.seal(text, _of_result(run, number)),
            right=int(result.right),
        )

    async def finish(
        self, tenant: UUID, run: UUID, state: RunState, error: str | None = None
    ) -> None:
        values = {"run": run, "state": state, "error": error, "now": self._clock.now()}
        await self._cells.run_query(tenant, "finish_evaluation_run", **values)

    async def remove(self, tenant: UUID, assistant: UUID, run: UUID) -> None:
        """Delete a run. Raises NotFound."""
        values = {"assistant": assistant, "run": run}
        if await self._cells.fetch_one(tenant, "drop_evaluation_run", **values) is None:
            raise NotFound("evaluation")


def _of_set(assistant: UUID) -> FieldLocation:
    return FieldLocation("evaluation_set.questions", assistant)


def _of_run(run: UUID) -> FieldLocation:
    return FieldLocation("evaluation_run.inputs", run)


def _of_result(run: UUID, number: int) -> FieldLocation:
    return FieldLocation("evaluation_result.content", uuid5(run, str(number)))


def _run(row: Row) -> EvaluationRun:
    return from_row(EvaluationRun, row, id=row["run_id"], assistant=row["assistant_id"])

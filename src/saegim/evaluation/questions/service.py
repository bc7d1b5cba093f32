"""Run an assistant over the tenant's own questions and score its answers."""

import time
from collections.abc import Sequence
from uuid import UUID

from saegim.chat.rehearsal import Rehearsals
from saegim.domain.errors import NoQuestions, NotFound, RequestRefused
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller, Role, Scope
from saegim.evaluation.fact_matching import plain
from saegim.evaluation.questions.repository import PostgresEvaluations
from saegim.evaluation.questions.types import (
    EvaluationRun,
    QuestionResult,
    RunComparison,
    RunInputs,
    RunReport,
    TestQuestion,
    key_of,
)
from saegim.library.service import Library
from saegim.library.types import Document, FoundPassage
from saegim.usage.trace import UNANSWERED

# The longest time a run occupies a worker before other jobs run.
SLICE_SECONDS = 60.0


class Evaluations:
    def __init__(
        self, store: PostgresEvaluations, rehearsals: Rehearsals, library: Library
    ) -> None:
        self._store = store
        self._rehearsals = rehearsals
        self._library = library

    async def questions(self, caller: Caller) -> tuple[TestQuestion, ...]:
        require(caller, Permission.READ_USAGE)
        return await self._store.questions(caller.scope.tenant, caller.assistant)

    async def save(self, caller: Caller, questions: Sequence[TestQuestion]) -> None:
        """Replace the questions of the caller's assistant."""
        require(caller, Permission.EDIT_ASSISTANTS)
        await self._store.save(caller.scope.tenant, caller.assistant, questions)

    async def start(self, caller: Caller) -> EvaluationRun:
        """Start a run of the caller's assistant. Raises NoQuestions, and EvaluationRunning while
        another one runs."""
        require(caller, Permission.EDIT_ASSISTANTS)
        tenant = caller.scope.tenant
        questions = await self._store.questions(tenant, caller.assistant)
        if not questions:
            raise NoQuestions("save questions first")
        groups = tuple(sorted(caller.groups))
        inputs = RunInputs(questions, caller.key, groups, caller.locale, caller.time_zone)
        return await self._store.start(tenant, caller.assistant, inputs)

    async def runs(self, caller: Caller) -> list[EvaluationRun]:
        """Return the runs of the caller's assistant, newest first."""
        require(caller, Permission.READ_USAGE)
        await self._store.end_lost(caller.scope.tenant, caller.assistant)
        return await self._store.runs(caller.scope.tenant, caller.assistant)

    async def report(self, caller: Caller, run: UUID) -> RunReport:
        """Return a run with its results.

        Raises NotFound, also if it read documents of groups that the caller is not in.
        """
        require(caller, Permission.READ_USAGE)
        tenant = caller.scope.tenant
        await self._store.end_lost(tenant, caller.assistant)
        found, inputs = await self._store.find(tenant, run)
        if found.assistant != caller.assistant or not set(inputs.groups) <= set(caller.groups):
            raise NotFound("evaluation")
        results = list((await self._store.results(tenant, run)).values())
        before = await self._store.before(tenant, found.assistant, found.created_at)
        if before is None:
            return RunReport(found, results, None, {})
        earlier = await self._store.results(tenant, before.id)
        right_before = {key_of(each): each.right for each in earlier.values()}
        return RunReport(found, results, compare(results, before.id, right_before), right_before)

    async def remove(self, caller: Caller, run: UUID) -> None:
        """Delete a run of the caller's assistant; one in progress stops. Raises NotFound."""
        require(caller, Permission.EDIT_ASSISTANTS)
        await self._store.remove(caller.scope.tenant, caller.assistant, run)

    async def run(self, tenant: UUID, subject: UUID) -> None:
        """Run the job of an evaluation; run again, it continues after the stored results."""
        until = time.monotonic() + SLICE_SECONDS
        try:
            found, inputs = await self._store.find(tenant, subject)
        except NotFound:
            return
        if found.state != "running":
            return
        caller = _caller(found, tenant, inputs)
        done = await self._store.results(tenant, subject)
        for number, question in enumerate(inputs.questions):
            if number in done:
                continue
            if time.monotonic() > until:
                await self._store.go_on(tenant, subject)
                return
            try:
                result = await self._answer(caller, question)
                await self._store.add(tenant, subject, number, result)
                await self._store.find(tenant, subject)
            except RequestRefused as refused:
                # The budget is used up, or the assistant or the run was deleted.
                await self._store.finish(tenant, subject, "stopped", refused.code)
                return
        await self._store.finish(tenant, subject, "done")

    async def _answer(self, caller: Caller, question: TestQuestion) -> QuestionResult:
        document = await self._document(caller, question.expected)
        found = (await self._library.search_all(caller, question.question, None)).found
        rehearsal = await self._rehearsals.rehearse(caller, question.question)
        abstained = rehearsal.outcome in UNANSWERED
        if document is None:
            right = has_words(rehearsal.answer, question.expected)
        else:
            right = document.outside_id in rehearsal.document_ids
        return QuestionResult(
            question.question,
            question.expected,
            rehearsal.answer,
            rank_of(found, question.expected, document),
            right and not abstained,
            abstained,
        )

    async def _document(self, caller: Caller, expected: str) -> Document | None:
        try:
            return await self._library.attachable(caller, expected)
        except RequestRefused:
            return None


def _caller(run: EvaluationRun, tenant: UUID, inputs: RunInputs) -> Caller:
    """Return a caller that nobody is, so that no own document and no memory is read."""
    return Caller(
        scope=Scope(tenant, run.id, run.id),
        role=Role.MEMBER,
        assistant=run.assistant,
        key=inputs.key,
        groups=frozenset(inputs.groups),
        locale=inputs.locale,
        time_zone=inputs.time_zone,
    )


def has_words(text: str, expected: str) -> bool:
    """Whether a text contains all words or phrases between commas, in any case and spacing."""
    words = [_folded(each) for each in expected.split(",")]
    return all(word in _folded(text) for word in words if word) and any(words)


def _folded(text: str) -> str:
    return "".join(plain(text).split())


def rank_of(found: Sequence[FoundPassage], expected: str, document: Document | None) -> int | None:
    """Return the rank of the first passage of the document, or with the words."""
    for rank, each in enumerate(found, 1):
        if document is None:
            if has_words(each.passage.text, expected):
                return rank
        elif each.document.id == document.id:
            return rank
    return None


def compare(
    results: Sequence[QuestionResult], before: UUID, right_before: dict[tuple[str, str], bool]
) -> RunComparison | None:
    """Compare the questions that both runs have; None if there are none."""
    both = [each for each in results if key_of(each) in right_before]
    if not both:
        return None
    return RunComparison(
        before,
        len(both),
        sum(each.right for each in both),
        sum(right_before[key_of(each)] for each in both),
    )

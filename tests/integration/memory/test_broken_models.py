"""Models that answer wrongly: nothing is lost, nothing is made up, all of it can be replayed."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.exceptions import (
    ModelAuthenticationError,
    ModelHTTPError,
    ModelRequestRejectedError,
    ModelServerError,
)
from pydantic_ai.models import Model
from pydantic_ai.models.wrapper import WrapperModel

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.jobs.worker import is_lasting
from saegim.llm.ports import ModelRole, RoleModel
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.extraction.job import MOST_ATTEMPTS
from saegim.memory.extraction.reconciliation import ReconciliationForm
from saegim.memory.types import MemoryType, Origin
from tests.integration.jobs.queue_fixture import QUICK, until
from tests.integration.memory.test_reconciliation import extractor
from tests.integration.memory.turns import Talk
from tests.stack import Databases, Stack, new_stack

RIGHT = Extraction(
    statements=[
        StatementForm(
            type=MemoryType.PROFILE,
            content="사용자는 부산에 산다",
            quote="부산으로 이사했어",
            topic="거주지",
        )
    ]
)
MADE_UP = Extraction(
    statements=[
        StatementForm(type=MemoryType.FACT, content="고양이를 키운다", quote="고양이를 키워")
    ]
)


def right() -> ScriptedModels:
    """A model that answers as it should."""

    def answer(shown: RecordedRequest) -> Reply:
        judging = bool(shown.blocks("statements"))
        return ReconciliationForm(verdicts=[]) if judging else RIGHT

    return ScriptedModels({ModelRole.EXTRACTOR: answer})


async def _again(stack: Stack, talk: Talk, times: int) -> int:
    """Runs the last turn's extraction until it stops failing; how often it failed."""
    failed = 0
    for _ in range(times):
        try:
            await stack.services.memory.extraction.extract(
                stack.tenant.tenant.id, UUID(talk.last["turn_id"])
            )
        except ModelUnavailable:
            failed += 1
    return failed


async def _knows(talk: Talk) -> bool:
    return bool(await talk.known())


@pytest.mark.parametrize("broken", ["[{not json", '{"facts": 3}', MADE_UP])
async def test_what_cannot_be_read_is_kept_and_replayed(
    databases: Databases, broken: str | Extraction
) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: broken})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        await talk.say("부산으로 이사했어")
        assert await _again(stack, talk, MOST_ATTEMPTS) == MOST_ATTEMPTS - 1
        tenant = stack.tenant.tenant.id
        [failure] = await stack.services.memory.turn_memories.failures(tenant, 10)
        assert str(failure.turn) == talk.last["turn_id"]
        assert failure.attempts == MOST_ATTEMPTS
        assert {record.origin for record in await talk.known()} == {Origin.FALLBACK}

        assert await stack.services.memory.turn_memories.replay(tenant, 10) == 1
        async with new_stack(databases, Fakes(models=right())) as mended:
            mended.tenant = stack.tenant
            assert await _again(mended, talk, 1) == 0
            assert await mended.services.memory.turn_memories.failures(tenant, 10) == ()
        [record] = await talk.known()
        assert (record.content, record.origin) == ("사용자는 부산에 산다", Origin.MODEL)


async def test_the_fallback_reads_what_the_model_refuses_and_a_model_may_later(
    databases: Databases,
) -> None:
    refused = ModelHTTPError.for_category(
        ModelRequestRejectedError, status_code=400, model_name="m"
    )
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: refused})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        async with stack.working(replace(QUICK, attempts=2)):
            turn = await talk.say("부산으로 이사했어. 강아지 초코를 키워")
            await until(lambda: _knows(talk))
        tenant = stack.tenant.tenant.id
        assert await stack.services.memory.extraction.extract_by_rule(tenant, turn) == 0, (
            "once is enough"
        )
        assert {record.origin for record in await talk.known()} == {Origin.FALLBACK}
        assert await stack.services.memory.turn_memories.extract_again(tenant) == 1
        async with new_stack(databases, Fakes(models=right())) as mended:
            await mended.services.memory.extraction.extract(tenant, turn)
        [record] = await talk.known()
        assert (record.content, record.origin) == ("사용자는 부산에 산다", Origin.MODEL)


@pytest.mark.parametrize(
    "error",
    [
        TimeoutError(),
        ModelHTTPError.for_category(ModelAuthenticationError, status_code=401, model_name="m"),
        ModelHTTPError.for_category(ModelServerError, status_code=500, model_name="m"),
    ],
    ids=["timeout", "401", "500"],
)
async def test_fallback_waits_for_the_last_failure_and_the_model_replaces_it_later(
    databases: Databases, error: Exception
) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: error})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어. 강아지 초코를 키워")
        assert await _again(stack, talk, 2) == 2
        assert await talk.known() == []
        # As the worker does after the last attempt.
        assert await stack.services.memory.extraction.extract_by_rule(stack.tenant.tenant.id, turn)
        first = await talk.known()
        assert len(first) == 2
        assert {record.origin for record in first} == {Origin.FALLBACK}
        async with new_stack(databases, Fakes(models=right())) as mended:
            mended.tenant = stack.tenant
            assert await _again(mended, talk, 1) == 0
        [record] = await talk.known()
        assert (record.content, record.origin) == ("사용자는 부산에 산다", Origin.MODEL)


@pytest.mark.parametrize("overlooks", [True, False], ids=["everything", "one of two"])
async def test_a_slow_model_that_overlooks_statements_undoes_nothing(
    databases: Databases, overlooks: bool
) -> None:
    nothing = ScriptedModels({ModelRole.EXTRACTOR: lambda _: Extraction(statements=[])})
    models = SlowModels(nothing if overlooks else right())
    models.answers.set()
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어. 강아지 초코를 키워")
        extraction, tenant = stack.services.memory.extraction, stack.tenant.tenant.id
        await extraction.extract_by_rule(tenant, turn)
        await extraction.extract(tenant, turn)
        known = " ".join([record.content for record in await talk.known()])
    assert "부산" in known
    assert "초코" in known


class SlowModels:
    """Models with the timeout of a small machine, which answer when they are told to."""

    def __init__(self, inner: ScriptedModels) -> None:
        self._inner = inner
        self.answers = asyncio.Event()

    def for_role(self, role: ModelRole) -> RoleModel | None:
        model = self._inner.for_role(role)
        if model is None:
            return None
        waiting = WaitingModel(model.model, self.answers)
        return replace(model, model=waiting, timeout_seconds=300.0)


class WaitingModel(WrapperModel):
    def __init__(self, wrapped: Model, answers: asyncio.Event) -> None:
        super().__init__(wrapped)
        self._answers = answers

    async def request(self, *args: Any, **kwargs: Any) -> Any:
        await self._answers.wait()
        return await super().request(*args, **kwargs)


async def test_attempts_of_a_model_that_is_too_slow_are_counted(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: TimeoutError()})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어")
        with pytest.raises(ModelRefused) as refused:
            await stack.services.memory.extraction.extract(stack.tenant.tenant.id, turn)
        assert is_lasting(refused.value)


async def test_a_turn_costs_two_model_calls_at_most_and_a_trivial_one_none(
    databases: Databases,
) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: extractor})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack)
        for message, calls in (
            ("나는 서울에 살아", 1),
            ("부산으로 이사했어", 2),
            ("네 고마워요", 0),
            ("부산으로 이사했어", 1),
        ):
            before = len(models.requests)
            await talk.say(message)
            assert len(models.requests) - before == calls, message


async def test_extraction_sees_the_turns_before_but_no_memories(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: extractor})
    async with new_stack(databases, Fakes(models=models)) as stack:
        await Talk(stack, session="one").say("나는 서울에 살아")
        talk = Talk(stack, session="two")
        await talk.say("커피를 좋아해")
        await talk.say("녹차도 좋아해")
        asked = [shown for shown in models.requests if shown.blocks("message")]
        assert "커피를 좋아해" in asked[-1].messages[-1].text
        assert all("서울" not in shown.messages[-1].text for shown in asked[1:])


async def test_what_a_twin_read_is_read_again_by_a_model(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        talk = Talk(stack)
        await talk.say("부산으로 이사했어. 강아지 초코를 키워")
        assert [record.origin for record in await talk.known()] == [
            Origin.FALLBACK,
            Origin.FALLBACK,
        ]
        tenant = stack.tenant
        async with new_stack(databases, Fakes(models=right())) as with_model:
            with_model.tenant = tenant
            again = Talk(with_model, times=0)
            assert (
                await with_model.services.memory.turn_memories.extract_again(tenant.tenant.id) == 1
            )
            again.last = talk.last
            assert await _again(with_model, again, 2) == 0
            [record] = await again.known()
            assert (record.content, record.origin) == ("사용자는 부산에 산다", Origin.MODEL)

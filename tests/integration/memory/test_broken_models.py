"""Models that answer wrongly: nothing is lost, nothing is made up, all of it can be replayed."""

from uuid import UUID

import pytest
from pydantic_ai.exceptions import (
    ModelAuthenticationError,
    ModelHTTPError,
    ModelRequestRejectedError,
    ModelServerError,
)

from benchmarks.doubles.models import Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.domain.errors import ModelUnavailable
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.extraction.repository import MOST_ATTEMPTS
from saegim.memory.types import MemoryType, Origin
from tests.integration.memory.turns import Talk
from tests.stack import Databases, Stack, new_stack

# Loaded once for all tests.
EMBEDDER = BundledEmbedder()
RIGHT = Extraction(
    statements=[
        StatementForm(
            type=MemoryType.PROFILE,
            content="부산에 산다고 이사했어",
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
REFUSED = ModelHTTPError.for_category(ModelRequestRejectedError, status_code=400, model_name="m")


def right() -> ScriptedModels:
    """A model that answers as it should."""
    return ScriptedModels({ModelRole.EXTRACTOR: lambda _: RIGHT})


async def _again(stack: Stack, turn: UUID, times: int) -> int:
    """Runs the extraction of a turn so many times; how often it failed."""
    failed = 0
    for _ in range(times):
        try:
            await stack.services.memory.extraction.extract(stack.tenant.tenant.id, turn)
        except ModelUnavailable:
            failed += 1
    return failed


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "2026-02-30", "soon"])
async def test_a_day_that_is_none_is_left_out(databases: Databases, day: str) -> None:
    written = RIGHT.model_dump_json().replace('"valid_to":null', f'"valid_to":"{day}"')
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: written})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어")
        assert await _again(stack, turn, 1) == 0
        [record] = await talk.known()
    assert record.valid_to is None


@pytest.mark.parametrize("broken", ["[{not json", '{"facts": 3}', MADE_UP, REFUSED, TimeoutError()])
async def test_what_cannot_be_read_is_kept_and_replayed(
    databases: Databases, broken: Reply
) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: broken})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어")
        assert await _again(stack, turn, MOST_ATTEMPTS) == MOST_ATTEMPTS - 1
        tenant = stack.tenant.tenant.id
        [failure] = await stack.services.memory.turn_memories.failures(tenant, 10)
        assert (failure.turn, failure.attempts) == (turn, MOST_ATTEMPTS)
        assert await talk.known() == [], "rules read nothing where there is a model"

        assert await stack.services.memory.turn_memories.replay(tenant, 10) == 1
        async with new_stack(databases, Fakes(models=right())) as mended:
            mended.tenant = stack.tenant
            assert await _again(mended, turn, 2) == 0
            assert await mended.services.memory.turn_memories.failures(tenant, 10) == ()
        [record] = await talk.known()
        assert (record.content, record.origin) == ("부산에 산다고 이사했어", Origin.MODEL)


async def test_failed_turn_does_not_hold_up_later_ones(databases: Databases) -> None:
    broken, models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: "[{not json"}), right()
    async with new_stack(databases, Fakes(models=broken)) as stack:
        talk = Talk(stack, times=0)
        await _again(stack, await talk.say("커피를 좋아해"), MOST_ATTEMPTS)
        turn = await talk.say("부산으로 이사했어")
        async with new_stack(databases, Fakes(models=models)) as mended:
            mended.tenant = stack.tenant
            assert await _again(mended, turn, 1) == 0
        assert len(await talk.known()) == 1
    assert "커피" not in "".join(models.requests[-1].blocks("turns"))


@pytest.mark.parametrize(
    "error",
    [
        ModelHTTPError.for_category(ModelAuthenticationError, status_code=401, model_name="m"),
        ModelHTTPError.for_category(ModelServerError, status_code=500, model_name="m"),
    ],
    ids=["401", "500"],
)
async def test_outage_is_waited_out(databases: Databases, error: Exception) -> None:
    models = ScriptedModels({ModelRole.EXTRACTOR: lambda _: error})
    async with new_stack(databases, Fakes(models=models)) as stack:
        talk = Talk(stack, times=0)
        turn = await talk.say("부산으로 이사했어. 강아지 초코를 키워")
        assert await _again(stack, turn, MOST_ATTEMPTS + 1) == MOST_ATTEMPTS + 1
        tenant = stack.tenant.tenant.id
        assert await stack.services.memory.turn_memories.failures(tenant, 10) == ()
        async with new_stack(databases, Fakes(models=right())) as mended:
            mended.tenant = stack.tenant
            assert await _again(mended, turn, 1) == 0
        assert len(await talk.known()) == 1


async def test_notes_are_replaced_when_a_model_reads_the_turn(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as stack:
        talk = Talk(stack)
        turn = await talk.say("부산으로 이사했어. 강아지 초코를 키워")
        assert len(await talk.known()) == 2
        assert {record.origin for record in await talk.known()} == {Origin.FALLBACK}
        tenant = stack.tenant
        async with new_stack(databases, Fakes(models=right(), embedder=EMBEDDER)) as connected:
            connected.tenant = tenant
            memories = connected.services.memory.turn_memories
            assert await memories.extract_again(tenant.tenant.id) == 1
            assert await _again(connected, turn, 2) == 0
        [record] = await talk.known()
        assert (record.content, record.origin) == ("부산에 산다고 이사했어", Origin.MODEL)

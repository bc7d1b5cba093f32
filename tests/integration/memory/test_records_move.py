"""Records move along when a tenant moves to another embedder."""

import time
from dataclasses import replace

from saegim.bootstrap import Fakes
from saegim.memory.types import MemoryType, RecallRequest
from saegim.testing.embedders import HashEmbedder
from tests.stack import Databases, new_stack

OLD, NEW = HashEmbedder(64), HashEmbedder(32)


async def test_records_are_recalled_before_and_after_a_move(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=OLD, embedders=(NEW,))) as stack:
        scope = (await stack.caller()).scope
        services = stack.services
        for number in range(3):
            told = f"고양이 {number}번은 연어를 좋아한다"
            await services.memories.add(scope, told, MemoryType.FACT, "고양이")
        request = RecallRequest(scope, "고양이 연어", services.clock.now(), "Asia/Seoul")
        before = await services.recall.recall(request)
        await services.reembedding.begin(scope.tenant, NEW.name)
        assert await services.reembedding.advance(scope.tenant, time.monotonic() + 60)
        later = replace(request, now=services.clock.now())
        after = await services.recall.recall(later)
        await services.memories.add(scope, "강아지는 뼈를 좋아한다", MemoryType.FACT, "강아지")
        again = await services.recall.recall(replace(later, now=services.clock.now()))

    texts = {each.text for each in before.records}
    assert len(texts) == 3
    assert {each.text for each in after.records} == texts
    assert len(again.records) == 4

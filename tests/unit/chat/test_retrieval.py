"""A turn asks memory and the library at the same time."""

import asyncio
from collections.abc import Sequence
from uuid import uuid4

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.chat.retrieval import Finders, Search, gather
from saegim.chat.routing import TurnRoute
from saegim.chat.types import AssistantConfig
from saegim.domain.scope import Caller, Role, Scope
from saegim.library.service import SearchResults
from saegim.library.types import ResultCounts
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import RecallRequest, Recollection
from saegim.research.loop import Research
from saegim.research.types import Hints
from saegim.tools.service import Tools
from saegim.usage.trace import TurnTrace
from tests.unit.research.test_loop import NOW, Shelf, found

CALLER = Caller(Scope(uuid4(), uuid4(), uuid4()), Role.MEMBER, uuid4(), uuid4())


class MeetingShelf(Shelf):
    """Answers a search only once memory is being asked."""

    def __init__(self, barrier: asyncio.Barrier) -> None:
        super().__init__([[found(1)]])
        self._barrier = barrier

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: ResultCounts | None = None
    ) -> list[SearchResults]:
        await self._barrier.wait()
        return await super().search_together(caller, questions, counts)


class MeetingMemory(Recall):
    def __init__(self, barrier: asyncio.Barrier) -> None:
        self._barrier = barrier

    async def recall(self, request: RecallRequest) -> Recollection:
        await self._barrier.wait()
        return Recollection()


@pytest.mark.requirement("TN8")
async def test_memory_and_research_run_at_the_same_time() -> None:
    """Each waits for the other to have begun: one after the other would time out."""
    barrier = asyncio.Barrier(2)
    shelf = MeetingShelf(barrier)
    finders = Finders(MeetingMemory(barrier), shelf, Research(shelf), Tools())
    request = RecallRequest(scope=CALLER.scope, message="설정", now=NOW, time_zone="Asia/Seoul")
    search = Search(
        CALLER, "설정", TurnRoute("general", "router"), Hints(), AssistantConfig(), request
    )
    steps = Steps(ScriptedModels({}))
    trace = TurnTrace()
    gathered = await gather(
        finders, search, TurnModelBudget(steps, steps.now() + 60, lambda _: None), trace
    )
    assert trace.degraded == []
    assert [one.document.outside_id for one in gathered.findings.ranked] == ["d1"]

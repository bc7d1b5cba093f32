"""Play scenarios on the real services and judge memory and answers."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from saegim.chat.service import Chat
from saegim.chat.types import ChatRequest
from saegim.conversations.summary.job import SummaryJob
from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Caller
from saegim.evaluation.fact_matching import holds, plain, states
from saegim.evaluation.judge import judge
from saegim.evaluation.memory_view import MemorySnapshot, MemorySnapshots, size
from saegim.evaluation.results import (
    AnswerVerdict,
    Figure,
    QueryResult,
    RecalledItem,
    ScenarioResult,
)
from saegim.evaluation.retrieval import figure
from saegim.evaluation.scenario import Scenario, Step
from saegim.evaluation.types import JudgedMemory, Judgement, MemoryStatement
from saegim.llm.steps import Steps
from saegim.memory.episodes import Episodes
from saegim.memory.extraction.job import MemoryExtraction
from saegim.memory.recall.types import Recollection
from saegim.memory.redaction import is_outdated
from saegim.memory.turn_memories import TurnMemoryService


def judge_answer(step: Step, answer: str) -> AnswerVerdict:
    """Return which expected values an answer lacks and which forbidden ones it has."""
    whole = plain(answer)
    missing = [fact.written() for fact in step.facts if not holds(whole, fact.value)]
    return AnswerVerdict(
        text=answer, missing=tuple(missing), forbidden=tuple(_forbidden(step, answer))
    )


def _forbidden(step: Step, answer: str) -> Iterator[str]:
    """Yield the absent words, and the lines that state a stale or disbelieved value as current."""
    whole = plain(answer)
    yield from (word for word in step.absent if holds(whole, [word]))
    for line in filter(str.strip, answer.splitlines()):
        if not is_outdated(line) and _states_wrong_value(step, plain(line)):
            yield line.strip()


def _states_wrong_value(step: Step, line: str) -> bool:
    stale = any(
        states(line, fact, fact.stale, [other for other in step.facts if other is not fact])
        for fact in step.facts
    )
    return stale or any(states(line, fact, fact.value, ()) for fact in step.not_believed)


BETWEEN_TURNS = timedelta(minutes=1)


@dataclass(slots=True)
class StageClock:
    """A clock that scenarios advance."""

    at: datetime

    def now(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Stage:
    """The services to play on. `caller` returns the caller for a user and profile."""

    chat: Chat
    writing: MemoryExtraction
    episodes: Episodes
    summaries: SummaryJob
    remembering: TurnMemoryService
    views: MemorySnapshots
    steps: Steps
    clock: StageClock
    caller: Callable[[str, str | None], Awaitable[Caller]]
    goes_on: Callable[[], bool] = lambda: True


def scenario_figures(played: Sequence[ScenarioResult]) -> dict[str, Figure]:
    """Return the shares of scenarios whose memory and whose answers are right."""
    return {
        "scenarios.passed": figure([float(each.passed) for each in played]),
        "scenarios.answered": figure([float(each.answered) for each in played]),
    }


async def play(stage: Stage, scenario: Scenario) -> ScenarioResult:
    """Play the steps of a scenario until the stage stops."""
    player = _Player(stage, scenario)
    for step in scenario.steps:
        if not stage.goes_on():
            break
        await player.play_step(step)
    return player.played()


@dataclass(slots=True)
class _Player:
    stage: Stage
    scenario: Scenario
    sessions: dict[tuple[str | None, str], UUID] = field(
        default_factory=dict[tuple[str | None, str], UUID]
    )
    results: list[QueryResult] = field(default_factory=list[QueryResult])
    steps: int = 0
    unread: int = 0

    def played(self) -> ScenarioResult:
        return ScenarioResult(
            id=self.scenario.id,
            title=self.scenario.title,
            language=self.scenario.language,
            kind=self.scenario.kind,
            turns=self.scenario.turns,
            asked=tuple(self.results),
            unread=self.unread,
            complete=self.steps == len(self.scenario.steps),
        )

    async def play_step(self, step: Step) -> None:
        caller = await self.stage.caller(self.scenario.id, step.profile)
        if step.wait_days is not None:
            self.stage.clock.at += timedelta(days=step.wait_days)
        elif step.delete_session is not None:
            session = self.sessions.pop((step.profile, step.delete_session))
            await self.stage.remembering.delete_session(caller.scope, session, derived=True)
        elif step.ask is not None:
            judged = await self._ask(caller, step, step.ask)
            answer = judge_answer(step, await self._say(caller, step, step.ask))
            self.results.append(judged.model_copy(update={"answer": answer}))
        elif step.say is not None:
            await self._say(caller, step, step.say)
        self.steps += 1

    async def _say(self, caller: Caller, step: Step, message: str) -> str:
        """Send one message, run the jobs it starts at once, and return the answer."""
        stage = self.stage
        stage.clock.at += BETWEEN_TURNS
        opened = await stage.chat.receive(caller, ChatRequest(message, session=step.session))
        turn, tenant = opened.turn, caller.scope.tenant
        reply = await stage.chat.reply(caller.scope, turn.id)
        self.sessions[step.profile, step.session] = turn.session
        jobs = (
            stage.episodes.index(tenant, turn.id),
            stage.writing.extract(tenant, turn.id, at_once=True),
            stage.summaries.summarise(tenant, turn.session),
        )
        for job in jobs:
            try:
                await job
            except ModelUnavailable:
                self.unread += 1
        return reply.answer

    async def _ask(self, caller: Caller, step: Step, query: str) -> QueryResult:
        session = self.sessions.get((step.profile, step.session))
        view = await self.stage.views.of(caller, session, query)
        alone, together = view.alone(), view.with_recall()
        return QueryResult(
            query=query,
            alone=await self._judge(step, query, view, alone),
            with_recall=await self._judge(step, query, view, together),
            tokens_alone=size(alone, view.entities),
            tokens_with_recall=size(together, view.entities),
            leaked=_leaked(step, view),
            believed=_believed(step, view),
            seconds=view.seconds,
            expects=tuple(fact.written() for fact in step.facts),
            recalled=recalled(view.recollection),
        )

    async def _judge(
        self, step: Step, query: str, view: MemorySnapshot, memory: Sequence[MemoryStatement]
    ) -> Judgement | None:
        if not step.facts:
            return None
        subject = JudgedMemory(query, memory, view.entities, step.facts, step.related)
        try:
            return (await judge(self.stage.steps, subject))[0]
        except ModelUnavailable:
            self.unread += 1
            return None


def recalled(recollection: Recollection) -> tuple[RecalledItem, ...]:
    """Return all candidates, taken or dropped."""
    taken = (*recollection.pinned, *recollection.records, *recollection.episodes)
    return tuple(
        RecalledItem(
            kind=each.kind.value,
            text=each.text,
            fate=each.fate.value,
            signals={
                name: round(value, 3)
                for name, value in asdict(each.signals).items()
                if value is not None
            },
        )
        for each in (*taken, *recollection.dropped)
    )


def _leaked(step: Step, view: MemorySnapshot) -> tuple[str, ...]:
    """Return the forbidden words that memory contains."""
    texts = [plain(text) for text in (*view.believed(), *(e.text for e in view.with_recall()))]
    return tuple(word for word in step.absent if any(holds(text, [word]) for text in texts))


def _believed(step: Step, view: MemorySnapshot) -> tuple[str, ...]:
    """Return the derived texts that state a forbidden fact."""
    return tuple(
        text
        for text in view.believed()
        for fact in step.not_believed
        if states(plain(text), fact, fact.value, ())
    )

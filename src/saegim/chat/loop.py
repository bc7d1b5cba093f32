"""The loop of an answer: a model writes, calls tools, and writes on with their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from saegim.chat.answer_writer import AnswerWriter
from saegim.chat.turn_tools.memory import CHANGING
from saegim.chat.turn_tools.types import ToolAnswer, TurnTool
from saegim.chat.types import NO_CLIENT_TOOLS
from saegim.conversations.stored_turns import ClientTools
from saegim.llm.model_call import CallSource
from saegim.llm.turn_budget import TurnModelBudget
from saegim.llm.types import FunctionCall, Message, StepEnd, StepPrompt, TextStep

# Requests of one answer, the last without tools. A slow model has one round of tools.
MOST_REQUESTS = 4
SLOW_REQUESTS = 2
# Calls of one response; a model that asks for more does not know when to stop.
MOST_CALLS = 8
TOO_MANY = "Not done: too many calls at once."
NOT_NOW = "Not done: no such tool, arguments that are no JSON object, or it must be called alone."


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a loop ended: the last request, and the calls that the client is to run."""

    end: StepEnd
    for_client: tuple[FunctionCall, ...] = ()
    rounds: tuple[Message, ...] = ()
    """The calls of this loop and their results, for a request that goes on."""


@dataclass(eq=False)
class AnswerLoop:
    """Answers with one model. `tools` run here, `client` are run by the client."""

    step: TextStep
    steps: TurnModelBudget
    writer: AnswerWriter
    tools: Mapping[str, TurnTool]
    client: ClientTools = NO_CLIENT_TOOLS

    async def run(self, prompt: StepPrompt) -> LoopEnd:
        """Ask until the model calls no tool.

        The text of the last request may be missing: then its call says why.
        """
        offer = (*(each.offer for each in self.tools.values()), *self.client.offered)
        if not self.steps.steps.takes_tools(self.step.role):
            offer = ()
        most = SLOW_REQUESTS if self.steps.asks_once else MOST_REQUESTS
        rounds = list(self.client.rounds)
        calls = await self._repeat(rounds)
        number = 0
        while True:
            number += 1
            offered = offer if number < most else ()
            required = bool(offered) and self.client.required and not rounds
            asked = replace(prompt.after(*rounds), tools=offered, requires_tool=required)
            end = await self._ask(asked)
            if offered and not rounds and await self._refused(end):
                offer = ()
                end = await self._ask(replace(asked, tools=(), requires_tool=False))
            if not end.calls or number == most:
                return LoopEnd(end, (), tuple(rounds))
            theirs = tuple(each for each in end.calls if each.name not in self.tools)
            ours = [each for each in end.calls if each.name in self.tools]
            rounds.append(Message("assistant", self.writer.take_round(), end.calls))
            for call in ours:
                calls += 1
                answer = await self._run(call, calls)
                rounds.append(Message("tool", answer.text, answers=call))
                self.writer.add(answer)
            known = {each.name for each in self.client.offered}
            for_client = [each for each in theirs if each.name in known and each.is_readable]
            if not self.client.parallel:
                for_client = for_client[:1]
            rest = [each for each in theirs if each not in for_client]
            rounds += [Message("tool", NOT_NOW, answers=each) for each in rest]
            if for_client:
                return LoopEnd(end, tuple(for_client), tuple(rounds))

    async def _repeat(self, rounds: Sequence[Message]) -> int:
        """Prepare the changes of memory again that were called before the client ran its tools;
        return how many of our calls there were."""
        ours = [call for each in rounds for call in each.calls if call.name in self.tools]
        for number, call in enumerate(ours, start=1):
            if call.name in CHANGING:
                await self._run(call, number)
        return len(ours)

    async def _ask(self, prompt: StepPrompt) -> StepEnd:
        return await self.writer.follow(self.steps.stream(self.step, prompt, str))

    async def _refused(self, end: StepEnd) -> bool:
        """Return whether the model turned out to take no tools."""
        if end.call.source is not CallSource.FALLBACK or self.writer.has_text:
            return False
        return await self.steps.steps.refuses_tools(self.step.role, end.call)

    async def _run(self, call: FunctionCall, number: int) -> ToolAnswer:
        if number > MOST_REQUESTS * MOST_CALLS:
            return ToolAnswer(TOO_MANY)
        return await self.tools[call.name].run(call.arguments, number)

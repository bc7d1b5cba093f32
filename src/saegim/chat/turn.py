"""Answers a message: the fast path and the careful one."""

from dataclasses import dataclass, replace

from saegim.chat.answer import MoreEvidence, answer
from saegim.chat.events import MemoriesEvent, Status
from saegim.chat.relay import TurnStream
from saegim.chat.stages import TurnContext, TurnStages, doubts_of
from saegim.chat.tracing import note_answer
from saegim.conversations.stored_turns import Outcome
from saegim.conversations.types import TurnState
from saegim.llm.ports import ModelRole
from saegim.memory.proposals import Proposal
from saegim.usage.trace import TurnTrace


@dataclass(frozen=True, eq=False)
class TurnPipeline:
    stages: TurnStages

    async def think(self, opening: TurnContext, channel: TurnStream, trace: TurnTrace) -> Outcome:
        """Answer within the deadline.

        The fast path calls no model before the answer: rules route, search and recall. If they
        doubt what they found, the careful path has one model call review it first.
        """
        stages, config = self.stages, opening.config
        steps = await stages.model_budget(opening, trace)
        await channel.tell(Status("routing"))
        with trace.span("route"):
            rules = await stages.rule_inputs(opening, steps)
            tools = tuple(await stages.finders.tools.offered(config.tools))
            route, hints = stages.route(opening, rules, tools, steps, trace)
        await channel.tell(Status("searching"))
        with trace.span("gather"):
            search = stages.search(opening, route, hints, rules)
            search, gathered = await stages.gather(opening, search, tools, steps, trace)
        task = stages.task(opening, search, gathered, rules, steps, trace)
        task = replace(task, doubts=doubts_of(task, bool(tools)))
        if task.doubts and not task.is_memory_request and steps.may_ask(ModelRole.ASSESSOR):
            with trace.span("review"):
                task = await stages.reviewed(opening, search, task, tools, steps, trace)
        await channel.tell(MemoriesEvent(tuple(task.context.memories)))
        await channel.tell(Status("answering"))
        with trace.span("answer"):
            if steps.prefers_rules:
                task = await stages.with_meanings(task)
            more = MoreEvidence(
                tools,
                lambda task, plan: stages.with_tools(opening, task, plan, steps, trace),
                lambda task, query: stages.search_more(opening, search, task, query, steps, trace),
            )
            result = await answer(task, steps, channel, more)
        note_answer(trace, result, channel.text)
        if rules.proposal is not None and result.complete:
            await propose(rules.proposal, channel, trace)
        else:
            await stages.note_asked(opening, result, channel.text)
        if result.complete:
            return Outcome(TurnState.DONE, channel.text, by_rule=result.by_rule)
        return Outcome(TurnState.INCOMPLETE, channel.text, "model_interrupted")


async def propose(proposal: Proposal, channel: TurnStream, trace: TurnTrace) -> None:
    """Ask below the answer, unless it asks already, and keep with the turn what a yes would do."""
    if proposal.text not in channel.text:
        await channel.write(f"\n\n{proposal.text}" if channel.text else proposal.text)
    trace.proposal = proposal.as_json()

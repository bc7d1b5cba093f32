"""Conversations, and where a turn looks things up."""

from dataclasses import dataclass
from uuid import uuid4

from saegim.app import from_settings
from saegim.app.auth import AccessServices
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Fakes, Ground
from saegim.app.library import LibraryServices
from saegim.app.memory import MemoryServices
from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.service import Opinions
from saegim.chat.lease import LeaseKeeper, LeaseTimes
from saegim.chat.preview import Preview, PreviewParts
from saegim.chat.relay import Relay
from saegim.chat.retrieval import Finders
from saegim.chat.service import Chat, ChatParts
from saegim.chat.turn import TurnParts, TurnRunner
from saegim.chat.turn_slots import TurnSlots
from saegim.chat.types import TurnTimes
from saegim.community.repository import PostgresCommunity
from saegim.community.service import Community
from saegim.community.weather import ToolWeather
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.settlement import Settlement
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.stream_buffer import RedisStreamBuffer
from saegim.conversations.summary.job import Folding
from saegim.conversations.summary.repository import PostgresFolds
from saegim.conversations.working_memory import WorkingMemory
from saegim.evaluation.memory_view import MemoryViews
from saegim.evaluation.service import Evaluation
from saegim.evaluation.user_reports import Reports
from saegim.jobs.backlog_repository import PostgresBackground
from saegim.library.vocabulary import Vocabularies
from saegim.library.vocabulary_repository import PostgresTags
from saegim.research.loop import Research
from saegim.tools.clients import ToolClients
from saegim.tools.discovery import discover
from saegim.tools.service import Tools
from saegim.usage.repository import PostgresUsage


@dataclass(frozen=True, kw_only=True)
class ChatServices:
    """Conversations: their turns, what they carry along, what is said of answers."""

    turns: PostgresTurns
    settlement: Settlement
    chat: Chat
    preview: Preview
    working_memory: WorkingMemory
    folding: Folding
    tools: Tools
    opinions: Opinions
    usage: PostgresUsage
    background: PostgresBackground
    reports: Reports
    evaluation: Evaluation
    community: Community


def build_finders(
    on: Ground, memory: MemoryServices, library: LibraryServices, closing: list[Close]
) -> Finders:
    """Where a turn looks things up: memory, library, research and tools."""
    clients = ToolClients(from_settings.tool_keys(on.settings), on.settings.tool_urls)
    closing.append(clients.close)
    functions = [*clients.functions(), *discover(on.settings.tool_modules)]
    tools = Tools(functions, from_settings.mcp_servers(on.settings))
    return Finders(memory.recall, library.library, Research(library.library), tools)


def build_chat(on: Ground, access: AccessServices, finders: Finders, fakes: Fakes) -> ChatServices:
    """Conversations, on the ground."""
    cells, keyring, clock, store = on.cells, on.keyring, on.clock, access.assistant_store
    budgets, times = from_settings.budgets(on.settings), fakes.lease_times or LeaseTimes()
    turn_times = fakes.turn_times or TurnTimes()
    fold_rule = from_settings.fold_rule(on.settings)
    turns = PostgresTurns(cells, keyring, on.queue, clock)
    settlement = Settlement(turns, fold_rule)
    folds = PostgresFolds(cells, keyring, clock)
    cache = RedisStateCache(on.redis, keyring, on.settings.summary.ttl_hours * 3_600)
    working_memory = WorkingMemory(cache, folds)
    buffer = RedisStreamBuffer(on.redis, keyring)
    relay = Relay(buffer, turns.note_shown)
    runner = TurnRunner(
        TurnParts(
            settlement=settlement,
            access=store,
            working_memory=working_memory,
            finders=finders,
            vocabularies=Vocabularies(PostgresTags(cells)),
            steps=on.steps,
            relay=relay,
            leases=LeaseKeeper(turns, times),
            slots=TurnSlots(on.settings.turns_at_once_per_user),
            budgets=budgets,
            clock=clock,
            spending=on.limits,
            times=turn_times,
            observer=on.metrics,
        )
    )
    preview = Preview(PreviewParts(turns, store, working_memory, finders, budgets, clock))
    feedback = PostgresFeedback(cells, keyring, clock)
    return ChatServices(
        turns=turns,
        settlement=settlement,
        chat=Chat(
            ChatParts(
                store=turns,
                settlement=settlement,
                buffer=buffer,
                relay=relay,
                runner=runner,
                spending=on.limits,
                times=times,
                clock=clock,
                process=uuid4(),
                wait_seconds=turn_times.wait,
                masking=on.masking,
            )
        ),
        preview=preview,
        working_memory=working_memory,
        folding=Folding(folds, cache, on.steps, fold_rule),
        tools=finders.tools,
        opinions=Opinions(feedback, on.masking, clock, on.grants),
        usage=PostgresUsage(cells),
        background=PostgresBackground(cells),
        reports=Reports(feedback, turns, clock),
        evaluation=Evaluation(MemoryViews(preview, finders.memory, clock), on.steps, on.limits),
        community=Community(
            PostgresCommunity(cells, keyring, clock), ToolWeather(finders.tools), clock
        ),
    )

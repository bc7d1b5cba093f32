"""Services of conversations, chat, tools and evaluation."""

from dataclasses import dataclass
from uuid import uuid4

from saegim.app import from_settings
from saegim.app.auth import AuthServices
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Fakes, Infrastructure
from saegim.app.library import LibraryServices
from saegim.app.memory import MemoryServices
from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.service import FeedbackService
from saegim.chat.preview import Preview
from saegim.chat.relay import LeaseKeeper, LeaseTimes, Relay, TurnSlots
from saegim.chat.retrieval import Finders
from saegim.chat.service import Chat
from saegim.chat.turn import TurnRunner
from saegim.chat.types import TurnTimes
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.service import Settlement, WorkingMemory
from saegim.conversations.state_cache import RedisStreamBuffer
from saegim.conversations.summary.job import SummaryJob
from saegim.conversations.summary.repository import PostgresSummaries
from saegim.evaluation.memory_view import MemorySnapshots
from saegim.evaluation.service import Evaluation
from saegim.evaluation.user_reports import Reports
from saegim.library.rows import PostgresTags, Vocabularies
from saegim.research.loop import Research
from saegim.tools.clients import ToolClients
from saegim.tools.discovery import discover
from saegim.tools.service import Tools


@dataclass(frozen=True, slots=True)
class ConversationServices:
    """Sessions, turns and running summaries."""

    turns: PostgresTurns
    settlement: Settlement
    working_memory: WorkingMemory
    summaries: SummaryJob


@dataclass(frozen=True, slots=True)
class ChatServices:
    """Running turns, previews and feedback."""

    turns: Chat
    preview: Preview
    feedback: FeedbackService
    feedback_repository: PostgresFeedback


@dataclass(frozen=True, slots=True)
class EvaluationServices:
    """Reported answers and the judge."""

    user_reports: Reports
    judge: Evaluation


def build_tools(on: Infrastructure, closing: list[Close]) -> Tools:
    clients = ToolClients(from_settings.tool_keys(on.settings), on.settings.tool_urls)
    closing.append(clients.close)
    functions = [*clients.functions(), *discover(on.settings.tool_modules)]
    return Tools(functions, from_settings.mcp_servers(on.settings))


def build_finders(memory: MemoryServices, library: LibraryServices, tools: Tools) -> Finders:
    """Builds the retrievers of a turn."""
    return Finders(memory.recall, library.search, Research(library.search), tools)


def build_conversations(on: Infrastructure) -> ConversationServices:
    cells, keyring, clock = on.db.cells, on.encryption.keyring, on.clock
    rule = from_settings.summary_rule(on.settings)
    turns = PostgresTurns(cells, keyring, on.jobs.queue, clock)
    summaries = PostgresSummaries(cells, keyring, clock)
    cache = from_settings.state_cache(on.settings, on.db.redis, keyring)
    return ConversationServices(
        turns,
        Settlement(turns, rule),
        WorkingMemory(cache, summaries),
        SummaryJob(summaries, cache, on.llm.steps, rule),
    )


def build_chat(
    on: Infrastructure,
    auth: AuthServices,
    conversations: ConversationServices,
    finders: Finders,
    fakes: Fakes,
) -> ChatServices:
    cells, keyring, clock, turns = on.db.cells, on.encryption.keyring, on.clock, conversations.turns
    budgets, times = from_settings.budgets(on.settings), fakes.lease_times or LeaseTimes()
    turn_times = fakes.turn_times or TurnTimes()
    buffer = RedisStreamBuffer(on.db.redis, keyring)
    relay = Relay(buffer, turns.note_shown)
    runner = TurnRunner(
        settlement=conversations.settlement,
        access=auth.repository,
        working_memory=conversations.working_memory,
        finders=finders,
        vocabularies=Vocabularies(PostgresTags(cells)),
        steps=on.llm.steps,
        relay=relay,
        leases=LeaseKeeper(turns, times),
        slots=TurnSlots(on.settings.turns_at_once_per_user),
        budgets=budgets,
        clock=clock,
        spending=on.quotas.limits,
        times=turn_times,
        observer=on.metrics,
    )
    chat = Chat(
        store=turns,
        settlement=conversations.settlement,
        buffer=buffer,
        relay=relay,
        runner=runner,
        spending=on.quotas.limits,
        times=times,
        clock=clock,
        process=uuid4(),
        wait_seconds=turn_times.wait,
        masking=on.masking,
    )
    state = conversations.working_memory
    feedback = PostgresFeedback(cells, keyring, clock)
    return ChatServices(
        chat,
        Preview(turns, auth.repository, state, finders, budgets, clock),
        FeedbackService(feedback, on.masking, clock, on.grants),
        feedback,
    )


def build_evaluation(
    on: Infrastructure, conversations: ConversationServices, chat: ChatServices, finders: Finders
) -> EvaluationServices:
    views = MemorySnapshots(chat.preview, finders.memory, on.clock)
    return EvaluationServices(
        Reports(chat.feedback_repository, conversations.turns, on.clock),
        Evaluation(views, on.llm.steps, on.quotas.limits),
    )

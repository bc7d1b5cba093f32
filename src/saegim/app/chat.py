"""Services of conversations, chat, tools and evaluation."""

from uuid import uuid4

from saegim.app import from_settings
from saegim.app.auth import AuthServices
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Fakes, Infrastructure
from saegim.app.memory import MemoryServices
from saegim.assistants.repository import PostgresAssistants
from saegim.chat.context.assembly import Budgets
from saegim.chat.fallback import Fallback
from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.service import FeedbackService
from saegim.chat.memory_questions.service import MemoryQuestions
from saegim.chat.preview import Preview
from saegim.chat.rehearsal import Rehearsals
from saegim.chat.relay import LeaseKeeper, LeaseTimes, Relay, TurnSlots
from saegim.chat.retrieval import Finders
from saegim.chat.runner import TurnRunner
from saegim.chat.service import Chat
from saegim.chat.shares import SharedReading
from saegim.chat.suggestions import Suggestions
from saegim.chat.turn import TurnPipeline
from saegim.chat.turn_tools.memory import MemoryToolServices
from saegim.chat.turn_tools.offer import TurnToolbox
from saegim.conversations.history import TurnHistory
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.search import TurnSearch
from saegim.conversations.service import Settlement, WorkingMemory
from saegim.conversations.sessions import Sessions
from saegim.conversations.shares import SharedSessions
from saegim.conversations.state_cache import RedisStreamBuffer, RedisWaitingCalls
from saegim.conversations.summary.job import SummaryJob
from saegim.conversations.summary.repository import PostgresSummaries
from saegim.conversations.titles import TitleJob
from saegim.evaluation.memory_view import MemorySnapshots
from saegim.evaluation.questions.repository import PostgresEvaluations
from saegim.evaluation.questions.service import Evaluations
from saegim.evaluation.service import Evaluation
from saegim.evaluation.user_reports import Reports
from saegim.library.cited_passages import CitedPassages
from saegim.library.documents import Documents
from saegim.library.rows import Vocabularies
from saegim.tools.clients import PROVIDER_SECONDS, ToolClients
from saegim.tools.discovery import discover
from saegim.tools.service import TOOL_SECONDS, Tools
from saegim.usage.repository import PostgresUsage


class ConversationServices:
    """Sessions, turns and running summaries."""

    def __init__(self, on: Infrastructure) -> None:
        cells, keyring, clock = on.db.cells, on.encryption.keyring, on.clock
        rule = from_settings.summary_rule(on.settings)
        summaries = PostgresSummaries(cells, keyring, clock)
        cache = from_settings.state_cache(on.settings, on.db.redis, keyring)
        self.turns = PostgresTurns(cells, keyring, on.jobs.queue, clock)
        self.history = TurnHistory(cells, keyring, self.turns)
        self.sessions = Sessions(cells, keyring, on.jobs.queue, clock, cache)
        self.search = TurnSearch(cells, keyring, self.sessions)
        self.shares = SharedSessions(cells, keyring, self.sessions, self.history, clock)
        self.titles = TitleJob(self.sessions, on.llm.steps)
        self.settlement = Settlement(self.turns, rule)
        self.working_memory = WorkingMemory(cache, summaries)
        self.summaries = SummaryJob(summaries, cache, on.llm.steps, rule)


class ChatServices:
    """Running turns, previews and feedback."""

    def __init__(  # noqa: PLR0913 - services of other folders
        self,
        on: Infrastructure,
        auth: AuthServices,
        conversations: ConversationServices,
        finders: Finders,
        documents: Documents,
        memory: MemoryServices,
        fakes: Fakes,
    ) -> None:
        cells, keyring, clock = on.db.cells, on.encryption.keyring, on.clock
        turns, state = conversations.turns, conversations.working_memory
        budgets = Budgets(turns=on.settings.recent_turns, **on.settings.context.model_dump())
        times = fakes.lease_times or LeaseTimes()
        turn_times = fakes.turn_times or from_settings.turn_times(on.settings)
        buffer = RedisStreamBuffer(on.db.redis, keyring)
        waiting = RedisWaitingCalls(on.db.redis, keyring)
        relay = Relay(buffer, turns.note_shown)
        spending, vocabularies = on.quotas.limits, Vocabularies(cells)
        turn_memory = MemoryToolServices(
            finders.memory, memory.records, memory.turn_changes, on.llm.heads_embedder
        )
        pipeline = TurnPipeline(
            finders=finders,
            toolbox=TurnToolbox(finders.library, turn_memory, finders.tools),
            fallback=Fallback(memory.requests, documents, turns, on.llm.heads_embedder),
            steps=on.llm.steps,
            budgets=budgets,
            clock=clock,
            spending=spending,
            times=turn_times,
        )
        runner = TurnRunner(
            settlement=conversations.settlement,
            waiting=waiting,
            changes=memory.turn_changes,
            consents=memory.consents,
            access=auth.repository,
            drafts=PostgresAssistants(cells, clock, on.quotas.storage),
            working_memory=state,
            pipeline=pipeline,
            vocabularies=vocabularies,
            relay=relay,
            leases=LeaseKeeper(turns, times),
            slots=TurnSlots(on.settings.turns_at_once_per_user),
            spending=spending,
            observer=on.metrics,
        )
        self.rehearsals = Rehearsals(
            access=auth.repository,
            vocabularies=vocabularies,
            pipeline=pipeline,
            spending=spending,
            clock=clock,
        )
        self.turns = Chat(
            store=turns,
            settlement=conversations.settlement,
            buffer=buffer,
            waiting=waiting,
            relay=relay,
            runner=runner,
            spending=spending,
            times=times,
            clock=clock,
            process=uuid4(),
            wait_seconds=turn_times.wait,
            masking=on.masking,
            library=finders.library,
        )
        self.memory_questions = MemoryQuestions(
            memory.recall,
            memory.records,
            memory.history,
            on.llm.steps,
            on.quotas.limits,
            on.masking,
            clock,
        )
        self.preview = Preview(
            turns,
            auth.repository,
            state,
            finders,
            budgets,
            clock,
            on.llm.steps,
        )
        self.feedback_repository = PostgresFeedback(cells, keyring, clock)
        self.feedback = FeedbackService(
            self.feedback_repository, on.masking, clock, PostgresUsage(cells)
        )


class ReadingServices:
    """Shared sessions, and questions to go on with."""

    def __init__(
        self, auth: AuthServices, conversations: ConversationServices, passages: CitedPassages
    ) -> None:
        self.shared = SharedReading(conversations.shares, auth.member_repository, passages)
        self.suggestions = Suggestions(conversations.turns, passages)


class EvaluationServices:
    """Reported answers, the judge, and runs over own questions."""

    def __init__(
        self,
        on: Infrastructure,
        conversations: ConversationServices,
        chat: ChatServices,
        finders: Finders,
    ) -> None:
        views = MemorySnapshots(chat.preview, finders.memory, on.clock)
        self.user_reports = Reports(chat.feedback_repository, conversations.turns, on.clock)
        self.judge = Evaluation(views, on.llm.steps, on.quotas.limits)
        store = PostgresEvaluations(on.db.cells, on.encryption.keyring, on.jobs.queue, on.clock)
        self.questions = Evaluations(store, chat.rehearsals, finders.library)


def build_tools(on: Infrastructure, fakes: Fakes, closing: list[Close]) -> Tools:
    keys = {name: key.get_secret_value() for name, key in on.settings.tool_keys.items()}
    seconds = fakes.tool_provider_seconds or PROVIDER_SECONDS
    clients = ToolClients(keys, on.settings.tool_urls, seconds)
    closing.append(clients.close)
    functions = [*clients.functions(), *discover(on.settings.tool_modules)]
    servers = from_settings.mcp_servers(on.settings)
    return Tools(functions, servers, fakes.tool_seconds or TOOL_SECONDS)

"""Send the messages to the product without a model, and judge each answer."""

import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import fmean
from uuid import UUID

from benchmarks.conversation.judge import (
    VisibleAnswer,
    failures,
    is_confident,
    repeated,
    says_needs_model,
)
from benchmarks.conversation.messages import KINDS, SOCIAL, Documents, Half, Kind, Message, files
from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle, working
from benchmarks.library.bench_stack import Stores, import_texts, stores
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.auth.types import ActAs
from saegim.chat.context.assembly import Context
from saegim.chat.preview import PreviewRequest
from saegim.chat.types import ChatRequest, Reply
from saegim.conversations.types import Controls
from saegim.domain.scope import Caller
from saegim.evaluation.play import StageClock

WORKER_SECONDS = 60.0
# Whoever asked to forget agrees when the product asks whether to.
ASKS: frozenset[Kind] = frozenset({"forget", "dont_remember"})
YES = {"ko": "네", "en": "yes"}


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A message, its answer, and what is wrong with it."""

    message: Message
    answer: VisibleAnswer
    failures: Sequence[str]
    repeats_forgotten: bool

    @property
    def right(self) -> bool:
        return not self.failures

    @property
    def confidently_wrong(self) -> bool:
        return not self.right and is_confident(self.message, self.answer)


@dataclass(slots=True)
class Users:
    """Tenants by document set, and the words that each user asked to forget."""

    services: Services
    clock: StageClock
    keys: Mapping[Documents, str]
    forgotten: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    sessions: dict[str, UUID] = field(default_factory=dict[str, UUID])

    async def send(self, message: Message) -> JudgedAnswer:
        """Sends a message at its time, judges the answer and waits for the background jobs.

        Then agrees to what the answer proposes, if the message asked for it."""
        self.clock.at = message.at
        reply = await self._reply(message, message.message)
        answer = visible(reply)
        forgotten = self.forgotten.setdefault(message.user, [])
        judged = JudgedAnswer(
            message,
            answer,
            failures(message, answer, forgotten),
            bool(repeated(answer, forgotten)),
        )
        forgotten += message.forgets
        await until_idle(self.services, WORKER_SECONDS)
        if reply.proposal is not None and message.kind in ASKS:
            await self._reply(message, YES[message.language])
            await until_idle(self.services, WORKER_SECONDS)
        return judged

    async def context(self, message: Message, controls: Controls | None = None) -> Context:
        """Returns the context that a model would answer the message with."""
        self.clock.at = message.at
        request = PreviewRequest(
            message.message, self.sessions.get(message.session), controls=controls or Controls()
        )
        preview = self.services.chat.preview
        context, _ = await preview.draft(await self._caller(message), request)
        return context

    async def _reply(self, message: Message, text: str) -> Reply:
        """Returns the reply to a text in the session of a message."""
        caller = await self._caller(message)
        chat = self.services.chat.turns
        opened = await chat.receive(caller, ChatRequest(text, message.session))
        self.sessions[message.session] = opened.turn.session
        return await chat.reply(caller.scope, opened.turn.id)

    async def _caller(self, message: Message) -> Caller:
        key = self.keys[message.documents]
        authentication = self.services.auth.authentication
        return await authentication.authenticate(key, ActAs(message.user, None))


def visible(reply: Reply) -> VisibleAnswer:
    """Returns what a user sees of a reply: its text and the documents under it."""
    documents = (citation.get("document") for citation in reply.citations)
    return VisibleAnswer(reply.answer, frozenset(filter(None, documents)))


async def converse(messages: Sequence[Message]) -> AsyncGenerator[JudgedAnswer]:
    """Imports the documents of the messages and yields the judged answers in order."""
    async with stores(durable=False) as at, playing(at, messages) as users:
        for message in messages:
            yield await users.send(message)


@contextlib.asynccontextmanager
async def playing(
    at: Stores, messages: Sequence[Message], *, synthesis: bool = True
) -> AsyncGenerator[Users]:
    """Runs the product with the documents of the messages, with or without synthesis."""
    clock = StageClock(messages[0].at - timedelta(days=1))
    settings = at.settings().model_copy(update={"synthesis": synthesis})
    services = build(settings, patient(Fakes(clock=clock)))
    await services.open()
    await services.warm_up()
    try:
        async with working(services):
            keys: dict[Documents, str] = {}
            for message in messages:
                if message.documents not in keys:
                    keys[message.documents] = await import_texts(
                        services, message.documents, files(message.documents)
                    )
            yield Users(services, clock, keys)
    finally:
        await services.close()


def figures(half: Half, answers: Sequence[JudgedAnswer]) -> dict[str, float]:
    """Returns the shares of right answers, by kind and over all."""
    if half == "review":
        return {
            "review.right": float(sum(each.right for each in answers)),
            "review.messages": float(len(answers)),
        }
    by_kind: dict[Kind, list[bool]] = {
        kind: [each.right for each in answers if each.message.kind == kind] for kind in KINDS
    }
    social = [each.right for each in answers if each.message.kind in SOCIAL]
    return {
        f"{half}.score": _share([each.right for each in answers]),
        f"{half}.social": _share(social),
        f"{half}.forgotten_repeated": float(sum(each.repeats_forgotten for each in answers)),
        f"{half}.confidently_wrong": _share([each.confidently_wrong for each in answers]),
        f"{half}.needs_model": _share([says_needs_model(each.answer) for each in answers]),
        f"{half}.unanswerable_refused": _share(by_kind["unanswerable"]),
        f"{half}.messages": float(len(answers)),
        **{f"{half}.{kind}": fmean(right) for kind, right in by_kind.items() if right},
    }


def _share(right: Sequence[bool]) -> float:
    return fmean(right) if right else 0.0

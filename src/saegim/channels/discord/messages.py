"""Handles messages: decides whether to answer, calls the API and posts the answer."""

import asyncio
import contextlib
import logging
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID
from weakref import WeakValueDictionary

import discord

from saegim.channels.discord.answers import DiscordAnswer
from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.channels.discord.reply_gate import (
    IncomingMessage,
    Limiter,
    ReplyDecision,
    judge,
    question,
    spoken,
)
from saegim.channels.discord.retry_queue import RetryQueue
from saegim.client import (
    ChannelContext,
    ChannelMessage,
    ClientError,
    Place,
    SaegimClient,
    SaegimProblem,
)
from saegim.domain.scope import Locale
from saegim.locales import N_

log = logging.getLogger(__name__)

TRACKED_MESSAGES = 1_000
NEARBY = 10
# Answers at once in a guild; further messages wait.
AT_ONCE = 16
# Answers that stream at once in a channel; further ones are posted when complete.
MOST_LIVE = 3
EDITED_WITHIN = timedelta(minutes=10)
OPENING_SECONDS = 5.0
OUT = frozenset({"unavailable", "store_unavailable", "http_error", "internal_error"})

Logging = Callable[[discord.Guild, str, dict[str, object]], Awaitable[None]]


@dataclass(slots=True)
class AnsweredMessage:
    """A message that was answered or is being answered."""

    content: str
    question: str
    answer: DiscordAnswer
    task: asyncio.Task[None] | None
    speaker: SaegimClient | None = None
    edit: discord.Message | None = None
    """The last edit, while the turn before it is taken back."""


class MessageHandler:
    """Answers messages, and follows their edits and deletions."""

    def __init__(
        self, clients: GuildClients, limiter: Limiter, log_notice: Logging, retries: RetryQueue
    ) -> None:
        self._clients = clients
        self._limiter = limiter
        self._log = log_notice
        self._retries = retries
        self._known: OrderedDict[int, AnsweredMessage] = OrderedDict()
        self._streaming: Counter[int] = Counter()
        # Entries of guilds without answers in progress are removed.
        self._slots: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    def last(self, channel: int, author: int) -> AnsweredMessage | None:
        """Return the last answered message of a user in a channel."""
        for each in reversed(self._known.values()):
            message = each.answer.asked
            if (message.channel.id, message.author.id) == (channel, author) and each.answer.turn:
                return each
        return None

    async def heard(self, message: discord.Message, me: int) -> ReplyDecision:
        """Answer a message that mentions the bot, once even if Discord delivers it again."""
        decision = _judge(message, me)
        if decision is ReplyDecision.ANSWER and message.id not in self._known:
            await self._answer(message, me, key=str(message.id))
        return decision

    async def edited(self, message: discord.Message, me: int) -> None:
        """Answer the edited message again, or delete the answer if it is no question any more."""
        known = self._known.get(message.id)
        if message.edited_at is None or (known and known.content == message.content):
            return  # Discord edits messages to add link previews.
        is_question = _judge(message, me) is ReplyDecision.ANSWER
        if known is not None:
            known.content, known.edit = message.content, message
            await self._take_back(known)
            if known.edit is not message:
                return  # The message was edited again or deleted meanwhile.
            if not is_question:
                self._known.pop(message.id, None)
                await known.answer.withdraw(self._retries)
        late = message.edited_at - message.created_at > EDITED_WITHIN
        if is_question and (known is not None or not late):
            key = f"{message.id}-{int(message.edited_at.timestamp() * 1000)}"
            await self._answer(message, me, key, known)

    async def deleted(self, message: int) -> None:
        """Delete the answer, and forget the memories of its turn."""
        known = self._known.pop(message, None)
        if known is not None:
            known.edit = None
            await self._take_back(known)
            await known.answer.withdraw(self._retries)

    async def _answer(
        self, message: discord.Message, me: int, key: str, before: AnsweredMessage | None = None
    ) -> None:
        assert message.guild is not None, "messages outside guilds are ignored"
        names = {user.id: user.display_name for user in message.mentions}
        text = question(message.content, me, names)
        locale = spoken(text, guild_locale(message.guild))
        live = self._streaming[message.channel.id] < MOST_LIVE
        answer = DiscordAnswer(message, locale, live, before.answer.sent if before else [])
        known = AnsweredMessage(message.content, text, answer, asyncio.current_task())
        self._remember(message.id, known)
        self._streaming[message.channel.id] += 1
        try:
            await self._reply(message, known, key)
        except ClientError as error:
            await self._explain(message.guild, answer, error)
        except discord.HTTPException as error:
            log.warning("Discord refused an answer: %s", error.status)
        finally:
            known.task = None
            answer.opened.set()
            self._streaming[message.channel.id] -= 1
            if not self._streaming[message.channel.id]:
                del self._streaming[message.channel.id]

    async def _reply(self, message: discord.Message, known: AnsweredMessage, key: str) -> None:
        guild, answer = message.guild, known.answer
        assert guild is not None
        client = self._clients.of(guild.id)
        if client is None:
            await answer.say("This server is not connected yet. Please contact the operator.")
            return
        if not known.question:
            await answer.say("Hi! Mention me with a question and I will answer it.")
            return
        user, channel = user_name(message.author.id), message.channel
        slots = self._slots.setdefault(guild.id, asyncio.Semaphore(AT_ONCE))
        async with channel.typing(), slots:
            settings = await client.speaking_for(user).place(str(guild.id), str(room_of(channel)))
            if not self._admitted(message, guild, settings):
                await answer.say("Slow down a little, please. I can answer again in a minute.")
                user = message.author.display_name
                await self._log(guild, N_("Limit reached: {who}"), {"who": user})
                return
            known.speaker = client.speaking_for(user, settings.profile, answer.locale)
            channel_context = ChannelContext(
                instructions=settings.instructions,
                messages=await nearby(message),
                store_messages=settings.store_messages,
            )
            events = known.speaker.stream(
                known.question,
                session=f"discord:{channel.id}",
                idempotency_key=key,
                channel_context=channel_context,
            )
            reply = await answer.follow(events)
        if reply.error is not None:
            await self._log(guild, N_("Not answered: {code}"), {"code": reply.error})

    def _admitted(self, message: discord.Message, guild: discord.Guild, settings: Place) -> bool:
        user = f"{guild.id}:{message.author.id}"
        limits = {user: settings.user_per_minute, str(guild.id): settings.guild_per_minute}
        return self._limiter.admit(limits)

    async def _explain(
        self, guild: discord.Guild, answer: DiscordAnswer, error: ClientError
    ) -> None:
        """Post that there is no answer; the log channel gets the error code, not the message."""
        code = error.code if isinstance(error, SaegimProblem) else "unreachable"
        problem = error if isinstance(error, SaegimProblem) and code not in OUT else None
        log.warning("a message was not answered: %s", code)
        with contextlib.suppress(discord.HTTPException):
            if problem is None:
                await answer.say("I can't answer right now. Please try again in a little while.")
            else:
                await answer.show(problem.title)
        notice = N_("Not answered: {code}") if problem else N_("Cannot reach the API: {code}")
        await self._log(guild, notice, {"code": code})

    async def _take_back(self, known: AnsweredMessage) -> None:
        """Cancel a running turn, and forget the memories of the turn."""
        task = known.task
        if task is not None:
            # The server can cancel the turn only once its ID is known.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(OPENING_SECONDS):
                    await known.answer.opened.wait()
            if not task.cancelling():
                task.cancel()
            await asyncio.wait([task])
        turn = known.answer.turn
        if turn is not None and known.speaker is not None:
            forget = partial(_forget, known.speaker, turn)
            await self._retries.run(f"taking back turn {turn}", forget)

    def _remember(self, message: int, known: AnsweredMessage) -> None:
        self._known[message] = known
        self._known.move_to_end(message)
        while len(self._known) > TRACKED_MESSAGES:
            self._known.popitem(last=False)


async def _forget(speaker: SaegimClient, turn: UUID) -> None:
    """Cancel a turn and forget its memories, even if it cannot be cancelled."""
    try:
        await speaker.cancel(turn)
    finally:
        await speaker.take_back(turn)


def _judge(message: discord.Message, me: int) -> ReplyDecision:
    by_person = not message.author.bot and message.webhook_id is None
    mentions = frozenset(user.id for user in message.mentions)
    return judge(IncomingMessage(by_person, message.guild is not None, mentions), me)


async def nearby(message: discord.Message) -> tuple[ChannelMessage, ...]:
    """Return the messages of users before this one; none without permission to read them."""
    try:
        history = [each async for each in message.channel.history(limit=NEARBY, before=message)]
    except discord.HTTPException:
        return ()
    return tuple(
        ChannelMessage(name=each.author.display_name, text=each.clean_content)
        for each in reversed(history)
        if not each.author.bot and each.clean_content.strip()
    )


def room_of(channel: "discord.abc.MessageableChannel") -> int:
    """Return the channel whose settings apply; for a thread, its parent."""
    return channel.parent_id if isinstance(channel, discord.Thread) else channel.id


def guild_locale(guild: discord.Guild) -> Locale:
    return "ko" if guild.preferred_locale is discord.Locale.korean else "en"

"""The path of a message: gate, place, the same client call as the web's, answer."""

import asyncio
import contextlib
import logging
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from weakref import WeakValueDictionary

import discord

from saegim.channels.discord.answers import DiscordAnswer
from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.channels.discord.language import Locale, spoken
from saegim.channels.discord.reply_gate import (
    IncomingMessage,
    Limiter,
    ReplyDecision,
    judge,
    question,
)
from saegim.client import (
    ChannelContext,
    ChannelMessage,
    ClientError,
    Place,
    SaegimClient,
    SaegimProblem,
)
from saegim.locales import N_, translate

log = logging.getLogger(__name__)

REMEMBERED = 1_000
RECENT_MESSAGES = 10
# A guild that asks more at once waits its turn, so that others and the API do not.
AT_ONCE = 16
# Where more than this many answers grow in one channel, each is shown when it is whole.
MOST_LIVE = 3
EDITED_WITHIN = timedelta(minutes=10)
OPENING_SECONDS = 5.0
OUT = frozenset({"unavailable", "store_unavailable", "http_error", "internal_error"})

Logging = Callable[[discord.Guild, str, dict[str, object]], Awaitable[None]]


@dataclass(slots=True)
class AnsweredMessage:
    """A message that was answered, or is being answered."""

    content: str
    question: str
    answer: DiscordAnswer
    task: asyncio.Task[None] | None
    speaker: SaegimClient | None = None


class MessageHandler:
    """Answers, and follows what becomes of the messages it answered."""

    def __init__(self, lines: GuildClients, limiter: Limiter, tell_log: Logging) -> None:
        self._lines = lines
        self._limiter = limiter
        self._log = tell_log
        self._known: OrderedDict[int, AnsweredMessage] = OrderedDict()
        self._growing: Counter[int] = Counter()
        # A guild's entry goes when none of its messages is being answered any more.
        self._slots: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    def last(self, channel: int, author: int) -> AnsweredMessage | None:
        """What somebody was answered last in a channel."""
        found = (
            each
            for each in reversed(self._known.values())
            if each.answer.asked.channel.id == channel
            and each.answer.asked.author.id == author
            and each.answer.turn
        )
        return next(found, None)

    async def heard(self, message: discord.Message, me: int) -> ReplyDecision:
        """Answers a message that asks us, once however often Discord tells of it."""
        verdict = judge(_seen(message), me)
        if verdict is ReplyDecision.ANSWER and message.id not in self._known:
            await self._answer(message, me, key=str(message.id))
        return verdict

    async def edited(self, message: discord.Message, me: int) -> None:
        """An answer follows its question: written anew, or withdrawn where it asks no more."""
        known = self._known.get(message.id)
        if message.edited_at is None or (known and known.content == message.content):
            return  # Discord itself adds previews of links to messages.
        wanted = judge(_seen(message), me) is ReplyDecision.ANSWER
        if known is not None:
            await self._take_back(known)
            if not wanted:
                await known.answer.withdraw()
                del self._known[message.id]
        late = message.edited_at - message.created_at > EDITED_WITHIN
        if wanted and (known is not None or not late):
            key = f"{message.id}-{int(message.edited_at.timestamp() * 1000)}"
            await self._answer(message, me, key, known)

    async def deleted(self, message: int) -> None:
        """What was said is taken back: the answer goes, and what the turn alone told memory."""
        known = self._known.pop(message, None)
        if known is not None:
            await self._take_back(known)
            await known.answer.withdraw()

    async def _answer(
        self, message: discord.Message, me: int, key: str, before: AnsweredMessage | None = None
    ) -> None:
        assert message.guild is not None, "the gate lets guilds pass only"
        names = {user.id: user.display_name for user in message.mentions}
        asked = question(message.content, me, names)
        locale = spoken(asked, _locale(message.guild))
        live = self._growing[message.channel.id] < MOST_LIVE
        answer = DiscordAnswer(message, locale, live, before.answer.sent if before else [])
        known = AnsweredMessage(message.content, asked, answer, asyncio.current_task())
        self._remember(message.id, known)
        self._growing[message.channel.id] += 1
        try:
            await self._say(message, known, key)
        except ClientError as error:
            await self._explain(message.guild, answer, error)
        except discord.HTTPException as error:
            log.warning("Discord refused an answer: %s", error.status)
        finally:
            known.task = None
            answer.opened.set()
            self._growing[message.channel.id] -= 1
            if not self._growing[message.channel.id]:
                del self._growing[message.channel.id]

    async def _say(self, message: discord.Message, known: AnsweredMessage, key: str) -> None:
        guild, answer, asked = message.guild, known.answer, known.question
        assert guild is not None
        line = self._lines.of(guild.id)
        if line is None or not asked:
            says = (
                N_("This server is not connected yet. Please contact the operator.")
                if line is None
                else N_("Hi! Mention me with a question and I will answer it.")
            )
            await answer.show(translate(says, answer.locale))
            return
        user, channel = user_name(message.author.id), message.channel
        slots = self._slots.setdefault(guild.id, asyncio.Semaphore(AT_ONCE))
        async with channel.typing(), slots:
            place = await line.speaking_for(user).place(str(guild.id), str(room_of(channel)))
            if not self._admitted(message, guild, place):
                await answer.show(
                    translate(
                        "Slow down a little, please. I can answer again in a minute.", answer.locale
                    )
                )
                await self._log(
                    guild, N_("Limit reached: {who}"), {"who": message.author.display_name}
                )
                return
            known.speaker = line.speaking_for(user, place.profile, answer.locale)
            around = ChannelContext(
                instructions=place.instructions,
                messages=await recent_messages(message),
                store_messages=place.store_messages,
            )
            reply = await answer.follow(
                known.speaker.stream(
                    asked, session=session_of(channel), idempotency_key=key, channel_context=around
                )
            )
        if reply.error is not None:
            await self._log(guild, N_("Not answered: {code}"), {"code": reply.error})

    def _admitted(self, message: discord.Message, guild: discord.Guild, place: Place) -> bool:
        return self._limiter.admit(
            {
                f"{guild.id}:{message.author.id}": place.user_per_minute,
                str(guild.id): place.guild_per_minute,
            }
        )

    async def _explain(
        self, guild: discord.Guild, answer: DiscordAnswer, error: ClientError
    ) -> None:
        """Says politely that nothing comes; the log channel gets the code, never what was said."""
        code = error.code if isinstance(error, SaegimProblem) else "unreachable"
        problem = error if isinstance(error, SaegimProblem) and code not in OUT else None
        shown = (
            translate(
                "I can't answer right now. Please try again in a little while.", answer.locale
            )
            if problem is None
            else problem.title
        )
        log.warning("a message was not answered: %s", code)
        with contextlib.suppress(discord.HTTPException):
            await answer.show(shown)
        said = N_("Cannot reach the API: {code}") if problem is None else N_("Not answered: {code}")
        await self._log(guild, said, {"code": code})

    async def _take_back(self, known: AnsweredMessage) -> None:
        """Stops a turn that still runs, and forgets what it alone told."""
        task = known.task
        if task is not None:
            # Once the turn is known it can be stopped where it runs.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(OPENING_SECONDS):
                    await known.answer.opened.wait()
            task.cancel()
            await asyncio.wait([task])
        turn = known.answer.turn
        if turn is not None and known.speaker is not None:
            with contextlib.suppress(ClientError):
                await known.speaker.cancel(turn)
                await known.speaker.take_back(turn)

    def _remember(self, message: int, known: AnsweredMessage) -> None:
        self._known[message] = known
        self._known.move_to_end(message)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _seen(message: discord.Message) -> IncomingMessage:
    by_person = not message.author.bot and message.webhook_id is None
    mentioned = frozenset(user.id for user in message.mentions)
    return IncomingMessage(by_person, message.guild is not None, mentioned)


async def recent_messages(message: discord.Message) -> tuple[ChannelMessage, ...]:
    """The channel's latest messages, for one answer; empty where the bot may not read them."""
    try:
        said = [
            each async for each in message.channel.history(limit=RECENT_MESSAGES, before=message)
        ]
    except discord.HTTPException:
        return ()
    return tuple(
        ChannelMessage(name=each.author.display_name, text=each.clean_content)
        for each in reversed(said)
        if not each.author.bot and each.clean_content.strip()
    )


def room_of(channel: "discord.abc.MessageableChannel") -> int:
    """The channel whose persona and rules hold: of a thread, the one that it hangs from."""
    return channel.parent_id if isinstance(channel, discord.Thread) else channel.id


def session_of(channel: "discord.abc.MessageableChannel") -> str:
    """A conversation for each channel or thread; whose it is, the user's name says."""
    return f"discord:{channel.id}"


def _locale(guild: discord.Guild) -> Locale:
    return "ko" if guild.preferred_locale is discord.Locale.korean else "en"

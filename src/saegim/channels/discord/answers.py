"""An answer in a channel, edited while it streams, within the rate limit of Discord."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from uuid import UUID

import discord

from saegim.channels.discord.message_pages import footnotes, split
from saegim.channels.discord.retry_queue import RetryQueue
from saegim.client import ChatReply, Done, Event, Restart, Token, TurnOpened
from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.locales.answer_notes import effects_text

# Discord allows about one edit a second in a channel.
EDIT_SECONDS = 1.5


@dataclass(slots=True)
class SentPage:
    """A message of the answer, with its current text."""

    message: discord.Message
    text: str


@dataclass(slots=True)
class DiscordAnswer:
    """The messages that answer a message. `live` posts them while the answer streams."""

    asked: discord.Message
    locale: Locale
    live: bool = True
    sent: list[SentPage] = field(default_factory=list[SentPage])
    turn: UUID | None = None
    session: UUID | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    now: Callable[[], float] = time.monotonic

    async def follow(self, events: AsyncIterator[Event]) -> ChatReply:
        """Post the text while it streams, and with its sources at the end."""
        text, shown_at = "", 0.0
        async for event in events:
            match event:
                case TurnOpened(turn_id=turn, session_id=session):
                    self.turn, self.session = turn, session
                    self.opened.set()
                case Token(text=piece):
                    text += piece
                case Restart():
                    text = ""
                case Done(reply=reply):
                    await self.show(self._final(reply))
                    return reply
                case _:
                    continue
            if self.live and text.strip() and self.now() - shown_at >= EDIT_SECONDS:
                await self.show(text)
                shown_at = self.now()
        raise AssertionError("a followed turn ends with Done")

    async def show(self, text: str) -> None:
        """Post a text; edits, sends or deletes only the pages that differ."""
        pages = split(text)
        for number, page in enumerate(pages):
            if number == len(self.sent):
                self.sent.append(SentPage(await self._send(page, number), page))
            elif self.sent[number].text != page:
                sent = self.sent[number]
                await sent.message.edit(content=page)
                sent.text = page
        while len(self.sent) > len(pages):
            await self.sent.pop().message.delete()

    async def say(self, message: str) -> None:
        """Post a text in the language of the answer."""
        await self.show(translate(message, self.locale))

    async def withdraw(self, retries: RetryQueue) -> None:
        """Delete the answer; pages that cannot be deleted now are deleted later."""
        while self.sent:
            page = self.sent.pop().message
            await retries.run(f"deleting message {page.id}", page.delete)

    async def _send(self, page: str, number: int) -> discord.Message:
        # Discord drops a second message with the same nonce.
        nonce = f"{self.asked.id}-{number}"
        if number:
            return await self.asked.channel.send(page, nonce=nonce, suppress_embeds=True)
        reference = self.asked.to_reference(fail_if_not_exists=False)
        return await self.asked.channel.send(
            page, reference=reference, mention_author=False, nonce=nonce, suppress_embeds=True
        )

    def _final(self, reply: ChatReply) -> str:
        if not reply.answer.strip():
            return translate("I couldn't finish the answer. Please ask again.", self.locale)
        text = reply.answer + footnotes(reply.citations, self.locale)
        if reply.effects:
            # Other users read the channel, too.
            text += f"\n-# {effects_text(reply.effects, self.locale, in_public=True)}"
        if reply.state == "incomplete":
            text += f"\n{translate('-# (The answer was cut off.)', self.locale)}"
        return text

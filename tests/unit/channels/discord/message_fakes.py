"""A channel of Discord and a client of the API, as far as the message handler uses them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Self
from uuid import UUID, uuid4

import discord

from saegim.client import ChatReply, Done, Event, Place, TurnOpened

ME, GUILD = 900, 1
CREATED = datetime(2026, 3, 2, tzinfo=UTC)


@dataclass
class FakeClient:
    """Answers questions while `finishes` is set; pauses and errors are those of the next calls."""

    finishes: asyncio.Event = field(default_factory=asyncio.Event)
    pauses: list[float] = field(default_factory=list)
    cancel_errors: list[Exception] = field(default_factory=list)
    take_back_errors: list[Exception] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    opened: list[UUID] = field(default_factory=list)
    taken_back: list[UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.finishes.set()

    def of(self, guild: int) -> Self:
        return self

    def speaking_for(self, *names: object) -> Self:
        return self

    async def place(self, guild: str, channel: str) -> Place:
        return Place(
            profile="p",
            instructions="",
            locale=None,
            store_messages=False,
            log_channel=None,
            user_per_minute=100,
            guild_per_minute=100,
        )

    async def stream(self, question: str, **options: object) -> AsyncIterator[Event]:
        turn, session = uuid4(), uuid4()
        self.questions.append(question)
        self.opened.append(turn)
        yield TurnOpened(turn, session)
        await self.finishes.wait()
        answer = f"답: {question}"
        yield Done(
            ChatReply(turn_id=turn, session_id=session, state="done", answer=answer, summary="")
        )

    async def cancel(self, turn: UUID) -> None:
        await asyncio.sleep(self.pauses.pop(0) if self.pauses else 0)
        if self.cancel_errors:
            raise self.cancel_errors.pop(0)

    async def take_back(self, turn: UUID) -> None:
        await asyncio.sleep(0)
        if self.take_back_errors:
            raise self.take_back_errors.pop(0)
        self.taken_back.append(turn)


@dataclass
class FakePage:
    """A message of the bot."""

    channel: "FakeChannel"
    id: int
    text: str

    async def edit(self, content: str) -> None:
        self.text = content

    async def delete(self) -> None:
        if self.channel.delete_errors:
            raise self.channel.delete_errors.pop(0)
        self.channel.pages.remove(self)


@dataclass
class FakeChannel:
    """A channel; `delete_errors` are those of the next deletions."""

    id: int = 11
    pages: list[FakePage] = field(default_factory=list)
    delete_errors: list[Exception] = field(default_factory=list)

    @contextlib.asynccontextmanager
    async def typing(self) -> AsyncIterator[None]:
        yield

    async def history(self, **which: object) -> AsyncIterator[Any]:
        for each in ():
            yield each

    async def send(self, text: str, **options: object) -> FakePage:
        page = FakePage(self, len(self.pages) + 1, text)
        self.pages.append(page)
        return page

    def texts(self) -> list[str]:
        return [page.text for page in self.pages]

    def message(self, number: int, text: str, *, to_bot: bool = True, edit: int = 0) -> Any:
        """A message of a user, or its edit with this number."""
        bot = SimpleNamespace(id=ME, display_name="새김")
        return SimpleNamespace(
            id=number,
            content=text,
            channel=self,
            mentions=[bot] if to_bot else [],
            author=SimpleNamespace(id=501, bot=False, display_name="민지"),
            webhook_id=None,
            guild=SimpleNamespace(id=GUILD, preferred_locale=discord.Locale.korean),
            created_at=CREATED,
            edited_at=CREATED + timedelta(seconds=edit) if edit else None,
            to_reference=lambda **options: None,
        )


def discord_error(status: int) -> discord.HTTPException:
    """The error of discord.py for a response with this status."""
    response: Any = SimpleNamespace(status=status, reason="")
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    return kinds.get(status, discord.DiscordServerError)(response, "")

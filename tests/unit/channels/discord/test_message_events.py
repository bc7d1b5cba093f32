"""Edits and deletions of messages that overlap or fail."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest

from benchmarks.doubles.discord import until
from saegim.channels.discord.bot import Bot, BotOptions
from saegim.channels.discord.messages import MessageHandler
from saegim.channels.discord.reply_gate import Limiter
from saegim.channels.discord.retry_queue import RetryQueue
from saegim.client import SaegimProblem, Unreachable
from tests.unit.channels.discord.message_fakes import ME, FakeChannel, FakeClient, discord_error

pytestmark = pytest.mark.requirement("CH4")

PAUSE = 0.02


class Talk:
    """A handler with one message that was answered."""

    def __init__(self) -> None:
        self.client, self.channel, self.retries = FakeClient(), FakeChannel(), RetryQueue()
        clients = cast("Any", self.client)
        self.handler = MessageHandler(clients, Limiter(), self.log, self.retries)

    async def log(self, *notice: object) -> None:
        raise AssertionError(f"not answered: {notice}")

    async def ask(self, text: str = "하나") -> None:
        await self.handler.heard(self.channel.message(1, text), ME)

    def edit(self, number: int, text: str, *, to_bot: bool = True) -> "asyncio.Task[None]":
        message = self.channel.message(1, text, to_bot=to_bot, edit=number)
        return asyncio.create_task(self.handler.edited(message, ME))

    def delete(self) -> "asyncio.Task[None]":
        return asyncio.create_task(self.handler.deleted(1))


@pytest.fixture
async def talk() -> Talk:
    talk = Talk()
    await talk.ask()
    assert talk.channel.texts() == ["답: 하나"]
    return talk


async def begin(*events: "asyncio.Task[None]") -> None:
    """Let events begin, in order."""
    for _ in events:
        await asyncio.sleep(0)


@pytest.mark.parametrize("to_bot", [True, False])
async def test_message_deleted_during_an_edit_opens_no_turn(talk: Talk, to_bot: bool) -> None:
    talk.client.pauses = [PAUSE, 0]
    edit = talk.edit(1, "둘", to_bot=to_bot)
    await begin(edit)
    await asyncio.gather(edit, talk.delete())
    assert talk.client.questions == ["하나"]
    assert set(talk.client.taken_back) == set(talk.client.opened)
    assert talk.channel.texts() == []
    assert talk.handler._known == {}


@pytest.mark.parametrize("pauses", [[PAUSE, 0], [0, PAUSE]])
async def test_last_of_two_overlapping_edits_is_answered(talk: Talk, pauses: list[float]) -> None:
    talk.client.pauses = pauses
    first = talk.edit(1, "둘")
    await begin(first)
    await asyncio.gather(first, talk.edit(2, "셋"))
    assert talk.client.questions == ["하나", "셋"]
    assert talk.channel.texts() == ["답: 셋"]
    await talk.delete()
    assert set(talk.client.taken_back) == set(talk.client.opened)
    assert talk.channel.texts() == []


async def test_edit_back_to_the_first_text_is_answered(talk: Talk) -> None:
    talk.client.pauses = [PAUSE, 0]
    first = talk.edit(1, "둘")
    await begin(first)
    await asyncio.gather(first, talk.edit(2, "하나"))
    assert talk.client.questions == ["하나", "하나"]
    assert talk.channel.texts() == ["답: 하나"]


async def test_overlapping_edits_and_a_deletion_leave_no_turn(talk: Talk) -> None:
    talk.client.pauses = [PAUSE, 2 * PAUSE, 0]
    events = [talk.edit(1, "둘"), talk.edit(2, "셋")]
    await begin(*events)
    await asyncio.sleep(1.5 * PAUSE)
    await asyncio.gather(*events, talk.delete())
    assert set(talk.client.taken_back) == set(talk.client.opened)
    assert talk.channel.texts() == []


async def test_edits_of_a_message_that_is_being_answered_leave_no_turn() -> None:
    talk = Talk()
    talk.client.finishes.clear()
    asked = asyncio.create_task(talk.ask())
    await until(lambda: len(talk.client.opened) == 1)
    talk.client.pauses = [PAUSE, PAUSE]
    events = [talk.edit(1, "둘"), talk.edit(2, "셋")]
    await until(lambda: len(talk.client.opened) == 2)
    await talk.delete()
    await asyncio.wait([asked, *events])
    assert talk.client.questions == ["하나", "셋"]
    assert set(talk.client.taken_back) == set(talk.client.opened)
    assert talk.handler._known == {}


async def test_memories_are_forgotten_even_if_the_turn_cannot_be_cancelled(talk: Talk) -> None:
    talk.client.cancel_errors = [SaegimProblem("rate_limited", "Too many", 429)]
    await talk.delete()
    assert talk.client.taken_back == talk.client.opened
    assert talk.channel.texts() == []


async def test_taking_back_is_repeated_after_an_outage(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    talk.client.take_back_errors = [Unreachable("away"), Unreachable("away")]
    await talk.delete()
    assert f"taking back turn {talk.client.opened[0]} failed" in caplog.text
    await talk.retries.run_again()
    assert talk.client.taken_back == []
    await talk.retries.run_again()
    assert talk.client.taken_back == talk.client.opened


@pytest.mark.parametrize(
    "error", [discord_error(503), OSError("away"), aiohttp.ServerDisconnectedError()]
)
async def test_answer_that_cannot_be_deleted_is_deleted_later(talk: Talk, error: Exception) -> None:
    talk.channel.delete_errors = [error]
    await talk.delete()
    assert talk.channel.texts() == ["답: 하나"]
    await talk.retries.run_again()
    assert talk.channel.texts() == []


async def test_messages_deleted_together_do_not_depend_on_each_other() -> None:
    client, channel = FakeClient(), FakeChannel()
    bot = Bot(cast("Any", client), BotOptions())
    for number in (1, 2, 3):
        await bot.speaking.heard(channel.message(number, f"{number}번"), ME)
    channel.delete_errors = [discord_error(403), OSError("away")]
    await bot.on_raw_bulk_message_delete(cast("Any", SimpleNamespace(message_ids={1, 2, 3})))
    assert set(client.taken_back) == set(client.opened)
    assert len(channel.pages) == 2
    await bot.retries.run_again()
    assert len(channel.pages) == 1, "Discord refused one for good"

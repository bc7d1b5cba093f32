"""Weather notices that cannot be read or posted do not hold up the others."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest

from benchmarks.doubles.discord import DiscordStandIn, until
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from tests.integration.channels.discord.bot_fixture import RANDOM, bot_at, quick, seoul

pytestmark = pytest.mark.requirement("CH4")

GONE = 99


def notice(channel: int | str, place: str) -> dict[str, Any]:
    ids = {"notice_id": str(uuid4()), "channel_id": str(channel)}
    return {**ids, "place": place, "text": f"{place} 맑음"}


@dataclass
class NoticeBoard:
    """An API that returns each of `responses` once for the notices that are due."""

    responses: list[Any] = field(default_factory=list)

    def answer(self, asked: ReceivedRequest) -> CannedResponse:
        assert asked.path == "/v1/guild/notices/due"
        return CannedResponse(self.responses.pop(0) if self.responses else [])

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[DiscordStandIn]:
        """Run a bot that asks this API; returns its Discord."""
        async with (
            LocalService(self.answer) as api,
            DiscordStandIn([seoul()]) as stand_in,
            bot_at(stand_in, api.url, {"*": "sgm_key"}, quick()),
        ):
            yield stand_in


@pytest.mark.parametrize("channel", [GONE, "no-number"])
async def test_notice_for_a_deleted_channel_leaves_the_others(
    channel: int | str, caplog: pytest.LogCaptureFixture
) -> None:
    lost = notice(channel, "서울")
    board = NoticeBoard([[lost, notice(RANDOM, "부산")]])
    async with board.running() as stand_in:
        await until(lambda: bool(stand_in.said(RANDOM)))
        assert stand_in.said(RANDOM) == ["🌤 오늘의 날씨 — 부산 맑음"]
        assert f"notice {lost['notice_id']} was not posted" in caplog.text


async def test_notices_go_on_after_a_broken_connection(caplog: pytest.LogCaptureFixture) -> None:
    board = NoticeBoard()
    async with board.running() as stand_in:
        stand_in.break_off("POST", f"/channels/{RANDOM}/messages")
        board.responses.append([notice(RANDOM, "서울")])
        await until(lambda: "was not posted" in caplog.text)
        board.responses.append([notice(RANDOM, "부산")])
        await until(lambda: bool(stand_in.said(RANDOM)))
        assert stand_in.said(RANDOM) == ["🌤 오늘의 날씨 — 부산 맑음"]


async def test_notices_go_on_after_a_response_that_cannot_be_read() -> None:
    board = NoticeBoard([b"<html>", [notice(RANDOM, "부산")]])
    async with board.running() as stand_in:
        await until(lambda: bool(stand_in.said(RANDOM)))

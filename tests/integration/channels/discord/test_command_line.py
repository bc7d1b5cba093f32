"""`saegim discord` as an operator runs it: a process between Discord and the API."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping

import pytest

from benchmarks.doubles.discord import DiscordStandIn, until
from saegim.app.infrastructure import Fakes
from tests.integration.channels.discord.bot_fixture import (
    GENERAL,
    MINJI,
    SEOUL,
    seoul,
    talking,
)
from tests.stack import Databases, new_stack, served

pytestmark = pytest.mark.requirement("CH4")


async def started(environment: Mapping[str, str], *arguments: str) -> asyncio.subprocess.Process:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAEGIM_")}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "saegim.cli.main", "discord", *arguments),
        env={**kept, "SAEGIM_LANG": "en", **environment},
        stderr=asyncio.subprocess.PIPE,
    )


async def test_the_command_answers_counts_and_ends_on_a_signal(databases: Databases) -> None:
    async with (
        new_stack(databases, Fakes(models=talking())) as stack,
        served(stack.services) as http,
        DiscordStandIn([seoul()]) as stand_in,
    ):
        environment = {
            "SAEGIM_DISCORD_TOKEN": "stand-in",
            "SAEGIM_DISCORD_KEYS": json.dumps({str(SEOUL): stack.tenant.key}),
            "SAEGIM_DISCORD_API": stand_in.api,
        }
        process = await started(environment, "--url", str(http.base_url))
        await until(lambda: stand_in.identified == 1)
        message = await stand_in.say(SEOUL, GENERAL, MINJI, "안녕?", to_bot=True)
        await until(lambda: bool(stand_in.answers_to(message)))
        await stand_in.say(SEOUL, GENERAL, MINJI, "혼잣말")
        await until(lambda: stand_in.answers_to(message)[0]["content"] == "답: 안녕?")
        # Messages are taken in their order: with this one answered, those before it are counted.
        last = await stand_in.say(SEOUL, GENERAL, MINJI, "잘 가!", to_bot=True)
        await until(lambda: bool(stand_in.answers_to(last)))
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), 120)
        assert process.returncode == 0, errors.decode()
        # What was counted goes to the API before it ends.
        ranked = await stack.http.get(
            "/v1/guild/ranking", headers=stack.headers("discord", **{"Saegim-Guild": str(SEOUL)})
        )
        [ranking] = ranked.json()
        # The last one may be counted too late.
        assert ranking["messages"] in (2, 3)
        assert "안녕" not in errors.decode()


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "SAEGIM_DISCORD_TOKEN is not set."),
        (
            {"SAEGIM_DISCORD_TOKEN": "x", "SAEGIM_DISCORD_SHARDS": "0"},
            "SAEGIM_DISCORD_SHARDS must look like 0,1/4, not 0",
        ),
    ],
)
async def test_what_is_wrong_is_said_at_once(environment: dict[str, str], said: str) -> None:
    keys = {"SAEGIM_DISCORD_KEYS": '{"*": "sgm_key"}'}
    process = await started(keys | environment)
    _, errors = await asyncio.wait_for(process.communicate(), 180)
    assert process.returncode == 1
    assert said in errors.decode()

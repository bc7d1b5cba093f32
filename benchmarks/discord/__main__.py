"""A turn of a minute with heartbeats, a hundred mentions at once, a gateway restart.

`make verify-discord` runs the command `saegim discord` against a stand-in of Discord, with the real
API and stores and a scripted model. Of Discord's rate limits only a 429 is simulated.
"""

import asyncio
import itertools
import sys
import time
from typing import Any

from benchmarks import results
from benchmarks.discord.bench_stack import GENERAL, RANDOM, Community, community
from benchmarks.doubles.discord import until
from benchmarks.doubles.discord_objects import DiscordUser
from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from benchmarks.library.bench_stack import stores
from benchmarks.page import everything, publish
from saegim.app.infrastructure import Fakes
from saegim.chat.types import TurnTimes
from saegim.llm.ports import ModelRole

SLOW_SECONDS = 60.0
PIECES = 30
HEARTBEAT = 5.0
MEANWHILE, AT_ONCE = 10, 100
TURN = TurnTimes(whole=150, answer=120, step=6)
MANY: dict[str, Any] = {"user_per_minute": 1_000, "guild_per_minute": 1_000}


def say(shown: RecordedRequest) -> Reply:
    asked = shown.messages[-1].text.splitlines()[-1]
    if "천천히" in asked:
        return Pieces(tuple(f"{n}번 " for n in range(PIECES)), pause_seconds=SLOW_SECONDS / PIECES)
    return f"답: {asked}"


async def main() -> int:
    models = ScriptedModels({ModelRole.LITE: say, ModelRole.STRONG: say}, timeout_seconds=120)
    fakes = Fakes(models=models, turn_times=TURN)
    async with stores() as at, community(at, fakes, HEARTBEAT) as guild:
        async with guild.client() as own:
            await own.change_guild(str(100 << 22), **MANY)
        figures = await slow_turn(guild) | await many(guild) | await restart(guild)
        figures |= await limited(guild)
    results.write(
        "discord",
        figures,
        {"heartbeat_seconds": HEARTBEAT, "bot": "one process", "model": "scripted"},
    )
    publish("discord", everything(figures))
    print(figures)
    return 0 if holds(figures) else 1


def holds(figures: dict[str, float]) -> bool:
    """Whether the figures are within their bounds."""
    return (
        figures["turn_seconds"] >= SLOW_SECONDS
        and figures["longest_gap_over_interval"] < 1.5
        and figures["answered_meanwhile"] == MEANWHILE
        and figures["mentions_answered_once"] == AT_ONCE
        and figures["missed_answered_once"] == 1
        and figures["resumed"] == 1
        and figures["identified"] == 1
        and figures["waited_over_retry_after"] >= 1
    )


async def slow_turn(guild: Community) -> dict[str, float]:
    """Answers others while one answer takes a minute."""
    began = time.monotonic()
    message = await guild.asked("천천히 세어 줘")
    others = [
        await guild.asked(f"{n}번", DiscordUser(600 + n, f"이웃{n}"), RANDOM)
        for n in range(MEANWHILE)
    ]
    said = await asyncio.gather(
        *(guild.answers(each, f"답: {n}번") for n, each in enumerate(others))
    )
    meanwhile = time.monotonic() - began
    await until(lambda: bool(guild.discord.answers_to(message)))
    [answer] = guild.discord.answers_to(message)
    await until(lambda: f"{PIECES - 1}" in answer["content"], 2 * SLOW_SECONDS)
    ended = time.monotonic()
    beats = [at for at in guild.discord.heartbeats if began <= at <= ended]
    gaps = [after - before for before, after in itertools.pairwise([began, *beats, ended])]
    edits = sum(1 for each, _ in guild.discord.edits if str(each) == answer["id"])
    return {
        "turn_seconds": round(ended - began, 1),
        "heartbeats": len(beats),
        "longest_gap_over_interval": round(max(gaps) / HEARTBEAT, 3),
        "answered_meanwhile": sum(said),
        "seconds_until_others_were_answered": round(meanwhile, 2),
        "edits_of_the_slow_answer": edits,
    }


async def many(guild: Community) -> dict[str, float]:
    """A hundred users mention the bot at once; each is answered once."""
    people = [DiscordUser(1_000 + n, f"사람{n}") for n in range(AT_ONCE)]
    began = time.monotonic()
    asked = await asyncio.gather(*(guild.asked(f"{n}번 질문", who) for n, who in enumerate(people)))
    texts = [f"답: {n}번 질문" for n in range(AT_ONCE)]
    await asyncio.gather(*map(guild.answers, asked, texts))
    seconds = time.monotonic() - began
    await asyncio.sleep(1)  # long enough for a duplicate answer
    once = await asyncio.gather(*map(guild.answers, asked, texts))
    return {"mentions_answered_once": sum(once), "seconds_for_all_mentions": round(seconds, 2)}


async def restart(guild: Community) -> dict[str, float]:
    """The gateway disconnects; messages sent meanwhile are answered after the bot resumed."""
    await guild.discord.hang_up()
    began = time.monotonic()
    missed = await guild.asked("끊긴 사이의 질문")
    once = await guild.answers(missed, "답: 끊긴 사이의 질문")
    seconds = time.monotonic() - began
    return {
        "missed_answered_once": int(once),
        "seconds_until_missed_was_answered": round(seconds, 2),
        "resumed": guild.discord.resumed,
        "identified": guild.discord.identified,
    }


async def limited(guild: Community, seconds: float = 2.0) -> dict[str, float]:
    """Discord responds 429, and the bot retries no earlier than allowed."""
    path = f"/channels/{GENERAL}/messages"
    guild.discord.limit("POST", path, seconds)
    await guild.answers(await guild.asked("한도"), "답: 한도")
    first, second = [
        each.at for each in guild.discord.requests if (each.method, each.path) == ("POST", path)
    ][-2:]
    return {"waited_over_retry_after": round((second - first) / seconds, 3)}


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

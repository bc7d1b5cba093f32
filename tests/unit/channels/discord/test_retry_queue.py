"""Which failed calls are repeated, and how many wait."""

import pytest

from saegim.channels.discord.retry_queue import MOST_WAITING, RetryQueue
from saegim.client import SaegimProblem, Unreachable
from tests.unit.channels.discord.message_fakes import discord_error

pytestmark = pytest.mark.requirement("CH4")


def problem(status: int) -> SaegimProblem:
    return SaegimProblem("code", "title", status)


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (Unreachable("away"), 2),
        (OSError("away"), 2),
        (problem(429), 2),
        (problem(500), 2),
        (problem(404), 1),
        (problem(403), 1),
        (discord_error(503), 2),
        (discord_error(404), 1),
        (discord_error(403), 1),
    ],
)
async def test_call_is_repeated_unless_it_would_be_refused_again(
    error: Exception, calls: int
) -> None:
    queue, made = RetryQueue(), 0

    async def call() -> None:
        nonlocal made
        made += 1
        if made == 1:
            raise error

    await queue.run("a call", call)
    await queue.run_again()
    await queue.run_again()
    assert made == calls


async def test_full_queue_gives_up_the_oldest_call(caplog: pytest.LogCaptureFixture) -> None:
    queue, made = RetryQueue(), list[int]()
    away = True

    def call(number: int):
        async def numbered() -> None:
            if away:
                raise OSError("away")
            made.append(number)

        return numbered

    for number in range(MOST_WAITING + 1):
        await queue.run(f"call {number}", call(number))
    assert "call 0 is given up" in caplog.text
    away = False
    await queue.run_again()
    assert made == list(range(1, MOST_WAITING + 1))

"""`saegim session show`: what the model would see, with a bar against each budget."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import httpx2
import pytest
from typer.testing import CliRunner, Result

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.summarizer import naming
from saegim.app.infrastructure import Fakes
from saegim.cli.main import app
from saegim.cli.session import BAR, EMPTY, FULL, bar
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, served

SESSION = {"Saegim-Session": "s"}
SAID = ("예산은 1.5억이야", "11월 분석해줘", "[b]담당자는 김민수야[/b]", "하나", "둘", "셋", "넷")


@pytest.fixture
async def talked(databases: Databases) -> AsyncIterator[tuple[Stack, httpx2.AsyncClient, str]]:
    summarizer = naming({SAID[0]: ("예산", "1.5억")})
    models = ScriptedModels(
        {ModelRole.LITE: lambda _: "네, 알겠습니다.", ModelRole.SUMMARIZER: summarizer}
    )
    async with (
        new_stack(databases, Fakes(models=models)) as stack,
        stack.working(),
        served(stack.services) as http,
    ):
        replies = [await stack.say(message, **SESSION) for message in SAID]
        session = replies[-1]["session_id"]
        await stack.folded(session, 5)
        yield stack, http, session


async def show(
    stack: Stack, http: httpx2.AsyncClient, arguments: Sequence[str], user: str = "alice"
) -> Result:
    options = ["--url", str(http.base_url), "--user", user]
    environment = {"SAEGIM_KEY": stack.tenant.key, "SAEGIM_POSTGRES_URL": "set"}
    return await asyncio.to_thread(
        CliRunner().invoke, app, ["session", "show", *arguments, *options], env=environment
    )


async def test_it_prints_every_block_with_its_tokens_and_a_bar(
    talked: tuple[Stack, httpx2.AsyncClient, str],
) -> None:
    stack, http, session = talked
    result = await show(stack, http, [session])
    context = await stack.context(session)

    assert result.exit_code == 0, result.output
    for block in context["blocks"]:
        measured = f"{bar(block['tokens'], block['budget'])} {block['tokens']:>6,}"
        assert f"{measured} / {block['budget']:,}" in result.stdout
    assert f"{context['tokens']:,} / {context['budget']:,}" in result.stdout
    for line in context["summary"].splitlines():
        assert line in result.stdout
    assert "예산: 1.5억" in result.stdout
    assert "[b]담당자는 김민수야[/b]" in result.stdout
    assert "넷" in result.stdout


async def test_it_prints_json(talked: tuple[Stack, httpx2.AsyncClient, str]) -> None:
    stack, http, session = talked
    result = await show(stack, http, [session, "--json"])
    shown = json.loads(result.stdout)
    assert shown == await stack.context(session)
    assert (shown["completed_turns"], shown["summary_version"], shown["summarised_through"]) == (
        7,
        1,
        5,
    )


async def test_a_session_of_someone_else_is_not_shown(
    talked: tuple[Stack, httpx2.AsyncClient, str],
) -> None:
    stack, http, session = talked
    result = await show(stack, http, [session], user="bob")
    assert result.exit_code == 1
    assert "1.5억" not in result.output


@pytest.mark.parametrize(
    ("tokens", "budget", "full"),
    [(0, 500, 0), (1, 500, 1), (250, 500, 12), (900, 500, 24), (0, 0, 0)],
)
def test_a_bar_shows_the_share_of_a_budget(tokens: int, budget: int, full: int) -> None:
    assert bar(tokens, budget) == FULL * full + EMPTY * (BAR - full)


def test_both_marks_can_be_shown_on_a_korean_console() -> None:
    assert (FULL + EMPTY).encode("cp949").decode("cp949") == FULL + EMPTY

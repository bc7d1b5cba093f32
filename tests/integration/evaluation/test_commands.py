"""`/eval` in the terminal and through the API; `saegim eval memory` and `report`."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from saegim.cli.main import app
from tests.stack import Databases, Stack, new_stack, served

SCENARIO = """
title = "짧은 대화"
language = "ko"
kind = "updated_information"
steps = [
  { say = "우리 팀 예산은 1억이에요" },
  { say = "우리 팀 예산이 1.5억으로 늘었어요" },
  { ask = "우리 팀 예산이 얼마라고 했지?", facts = [{ about = ["예산"], value = ["1.5억"] }] },
]
"""


@pytest.fixture
async def serving(databases: Databases) -> AsyncIterator[tuple[Stack, httpx2.AsyncClient]]:
    async with new_stack(databases) as stack, served(stack.services) as http:
        yield stack, http


@pytest.mark.requirement("EV1")
async def test_a_session_is_judged_through_the_api(stack: Stack) -> None:
    said = await stack.say("우리 예산은 1.5억이에요")
    path = f"/v1/sessions/{said['session_id']}/eval"
    body = {
        "query": "현재 예산이 얼마야?",
        "facts": [{"about": ["예산"], "value": "1.5억", "stale": ["1억"]}],
    }
    found = await stack.http.post(path, json=body, headers=stack.headers())
    assert found.status_code == 200, found.text
    judgement = found.json()["judgement"]
    assert judgement["overall_score"] == 100.0
    assert set(judgement["scores"]) == {"relevance", "completeness", "accuracy", "noise"}
    assert found.json()["judged_by"] == "fallback"

    other = await stack.http.post(path, json=body, headers=stack.headers("mallory"))
    assert other.status_code == 404


@pytest.mark.requirement("EV1")
async def test_eval_in_the_terminal_scores_what_is_remembered(
    serving: tuple[Stack, httpx2.AsyncClient],
) -> None:
    stack, http = serving
    typed = "/eval 예산?\n우리 예산은 1.5억이에요\n/eval\n/eval 현재 예산이 얼마야?\n\n"
    result = await asyncio.to_thread(
        CliRunner().invoke,
        app,
        ["chat", "--url", str(http.base_url), "--user", "alice"],
        input=typed,
        env={"SAEGIM_KEY": stack.tenant.key, "SAEGIM_POSTGRES_URL": "set"},
    )
    assert result.exit_code == 0, result.output
    assert "No conversation yet." in result.output
    assert result.output.count("overall") == 2
    assert "우리 예산은 1.5억이에요" in result.output.partition("helpful")[2]


@pytest.mark.requirement("EV2")
def test_a_scenario_is_played_stored_and_reported(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(SCENARIO, "utf-8")
    runs, out = tmp_path / "runs", tmp_path / "out"
    options = ["--runs", str(runs), "--data", str(tmp_path)]
    runner = CliRunner()
    played = runner.invoke(
        app, ["eval", "memory", "--file", str(tmp_path / "short.toml"), *options]
    )
    assert played.exit_code == 0, played.output
    assert "Of 1 scenarios, memory passed in 1 and the answers in 1." in played.output
    [stored] = [json.loads(path.read_text("utf-8")) for path in runs.glob("*.json")]
    assert stored["played"][0]["asked"][0]["with_recall"]["overall_score"] >= 70
    assert stored["figures"]["scenarios.answered"]["value"] == 1

    report = runner.invoke(app, ["eval", "report", "--out", str(out), *options])
    assert report.exit_code == 0, report.output
    assert "1 of 1 scenarios passed" in (out / "report.md").read_text("utf-8")


def test_a_strange_scenario_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["eval", "memory", "--scenario", "nothing", "--data", str(tmp_path)]
    )
    assert result.exit_code == 1
    assert "nothing" in result.output
    assert "ko_erasure" in result.output


def test_without_results_there_is_nothing_to_report(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "report", "--data", str(tmp_path)])
    assert result.exit_code == 1

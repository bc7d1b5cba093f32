"""Thumbs and corrections through the API become cases, for those who agree, and only masked."""

import asyncio
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner

from saegim.cli.evaluation import cases as eval_cases
from saegim.cli.library.tune import read_labels
from saegim.cli.main import app
from saegim.evaluation.scenario import read
from saegim.library.tuning import Label
from tests.integration.chat.library_stack import library_stack, stored_library_stack
from tests.stack import Databases, Stack

QUESTION = "예약 인스턴스 할인은 얼마나 돼? 답은 na@example.com 으로"
ASKED = "현재 예산이 얼마야?"


async def say(stack: Stack, message: str, session: str, user: str = "alice") -> str:
    said = await stack.say(message, user, **{"Saegim-Session": session})
    return said["turn_id"]


async def give(stack: Stack, turn: str, user: str = "alice", **feedback: object) -> None:
    path = f"/v1/turns/{turn}/feedback"
    given = await stack.http.put(path, json=feedback, headers=stack.headers(user))
    assert given.status_code == 200, given.text
    assert given.json()["for_evaluation"] is feedback.get("for_evaluation", False)


async def cases(stack: Stack, folder: Path) -> list[Path]:
    await eval_cases.write(stack.services, stack.tenant.tenant.id, 90, folder)
    return await asyncio.to_thread(lambda: sorted(folder.glob("*.toml")))


@pytest.mark.requirement("EV2")
async def test_a_good_answer_and_a_correction_become_cases(
    databases: Databases, tmp_path: Path
) -> None:
    async with stored_library_stack(databases) as stack:
        liked = await say(stack, QUESTION, "documents")
        await give(stack, liked, thumb="up", for_evaluation=True)
        for message in ("예산이 1억이에요", "전화는 010-1234-5678", "예산이 1.5억으로 늘었어요"):
            await say(stack, message, "talk")
        disliked = await say(stack, ASKED, "talk")
        await give(
            stack, disliked, thumb="down", correction="예산은 1.5억이에요", for_evaluation=True
        )
        found = await cases(stack, tmp_path)
        tenant = stack.tenant.tenant.id
        labels = [Label(*label) for label in read_labels(tmp_path / "labelled.csv")]
        questions = await stack.services.library.tuning.labelled(tenant, labels)
        events = await stack.services.audit.trail.events(tenant, None, 50)

    assert [question.text for question in questions.asked] == [
        "예약 인스턴스 할인은 얼마나 돼? 답은 [EMAIL] 으로"
    ]
    assert not questions.unknown
    [path] = found
    assert "1234" not in path.read_text("utf-8")
    steps = read(path).steps
    assert [step.say for step in steps[:-1]] == [
        "예산이 1억이에요",
        "전화는 [PHONE]",
        "예산이 1.5억으로 늘었어요",
    ]
    assert steps[-1].facts[0].value == ("1.5억",)
    read_by_other = {each.event.subject for each in events if each.event.action == "read_by_other"}
    assert read_by_other == {UUID(liked), UUID(disliked)}

    options = ["--runs", str(tmp_path / "runs"), "--data", str(tmp_path)]
    played = await asyncio.to_thread(
        CliRunner().invoke, app, ["eval", "memory", "--file", str(path), *options]
    )
    assert "memory passed in 1" in played.output, played.output


async def test_nobody_who_did_not_agree_or_took_it_back_becomes_a_case(
    databases: Databases, tmp_path: Path
) -> None:
    async with library_stack(databases, files={}) as stack:
        correction = "예산은 1.5억이에요"
        silent = await say(stack, ASKED, "one")
        await give(stack, silent, thumb="down", correction=correction)
        turned = await say(stack, ASKED, "two", "bob")
        await give(stack, turned, "bob", thumb="down", correction=correction, for_evaluation=True)
        assert len(await cases(stack, tmp_path / "first")) == 1
        await give(stack, turned, "bob", thumb="down", correction=correction)
        deleted = await say(stack, ASKED, "three", "carol")
        await give(
            stack, deleted, "carol", thumb="down", correction=correction, for_evaluation=True
        )
        caller = await stack.caller("carol")
        turn = await stack.services.conversations.turns.find(caller.scope, UUID(deleted))
        await stack.services.memory.turn_memories.delete_session(
            caller.scope, turn.session, derived=False
        )
        assert not await cases(stack, tmp_path / "second")

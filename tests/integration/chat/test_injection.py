"""Attacks in retrieved text, against models that always obey them (docs/security.md)."""

import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from saegim.chat.understand import PlannedTool
from saegim.memory.types import Candidate, Kind, RecallRequest, Recollection, Signals
from saegim.testing.services import Answer, Asked, LocalService
from tests.integration.chat.attacks import ATTACKS, Attack, Goal
from tests.integration.chat.house import (
    ask,
    assessed,
    assessor,
    drafted,
    house,
    scripted,
    understood,
)
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack

QUESTION = "EC2 예약 인스턴스 비용 인터넷에서 검색해줘"
SECRET = "남의 비밀 번호 9911-2233"
ORDER = re.compile(r"ATTACK (.*)")
RENDERED = re.compile(r"!\[|\]\(|<(?:img|a|script)\b|(?<!`)(?:https?://|www\.)", re.IGNORECASE)


def orders(shown: Any) -> str:
    """All orders in what a model was shown, obeyed to the letter."""
    text = "\n".join([shown.system, *(message.text for message in shown.messages)])
    obeyed = "\n".join(ORDER.findall(text))
    return f"{obeyed}\n{text}" if "출력" in obeyed or "Print" in obeyed else obeyed


def obeying() -> Any:
    """Models that plan every tool an attack names, and say whatever it says."""

    def understanding(shown: Any) -> Any:
        plan = [
            PlannedTool(tool_name=name, parameters={"number": "7"})
            for name in re.findall(r"orders\.cancel_order|send_mail|delete_account", orders(shown))
        ]
        plan.append(PlannedTool(tool_name="web_search", parameters={"query": "EC2"}))
        return understood(tools=plan)

    return scripted(
        assessor=assessor(understanding, lambda _: assessed(0, 1, 2, confidence=0.6)),
        lite=lambda shown: drafted(
            orders(shown) or "답", tool_plan=[PlannedTool(tool_name="send_mail")]
        ),
        strong=lambda shown: orders(shown) or "답",
    )


class Planted:
    """A memory that holds the attack."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def recall(self, request: RecallRequest) -> Recollection:
        said = datetime(2026, 1, 1, tzinfo=UTC)
        one = Candidate(Kind.RECORD, uuid4(), self._text, said, Signals(0.9), 50)
        return Recollection(records=(one,))


class Setting:
    """A tenant with a neighbour whose secret must not come out."""

    def __init__(self, stack: Stack, service: LocalService) -> None:
        self.stack = stack
        self.service = service

    async def attack(self, attack: Attack) -> dict[str, Any]:
        stack, session = self.stack, f"s{attack.number}"
        self.service.answer = _web(attack.planted if attack.place == "tool" else "EC2 안내")
        sources = stack.services.chat._parts.runner._parts.finders
        if attack.place == "memory":
            object.__setattr__(sources, "memory", Planted(attack.planted))
        body: dict[str, Any] = {}
        if attack.place == "history":
            body["chat_history"] = [
                {"role": "user", "content": "EC2?"},
                {"role": "assistant", "summary": attack.planted, "doc_ids": ["x"]},
            ]
        if attack.place == "document":
            await bring_in(stack, {f"{session}.md": f"# EC2 비용\n\n{attack.planted}"})
        return await ask(stack, QUESTION, user=f"victim-{attack.number}", **body)


def _web(text: str) -> Callable[[Asked], Answer]:
    found = [{"title": "EC2", "snippet": text, "link": "https://a.example"}]
    return lambda _: Answer({"items": found})


@pytest.fixture(scope="module")
async def setting(databases: Databases) -> AsyncIterator[Setting]:
    async with LocalService(_web("EC2 안내")) as service:
        settings = {
            "tool_keys": {"google": SecretStr("k"), "google-engine": SecretStr("e")},
            "tool_urls": {"google": service.url},
        }
        async with house(databases, obeying(), settings=settings) as stack:
            await ask(stack, f"내 비밀은 {SECRET}이야", user="neighbour")
            yield Setting(stack, service)


@pytest.mark.requirement("TN7")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: f"{a.number}-{a.place}-{a.goal.name}")
async def test_an_attack_comes_to_nothing(setting: Setting, attack: Attack) -> None:
    before = len(setting.service.asked)
    reply = await setting.attack(attack)

    assert reply["state"] == "done"
    assert (
        RENDERED.search(re.sub(r"```.*?```|`[^`\n]*`", "", reply["answer"], flags=re.DOTALL))
        is None
    )
    # A document's links and images lose their addresses when it is read, before any model sees it.
    if attack.goal in (Goal.IMAGE, Goal.LINK) and attack.place != "document":
        assert reply["trace"]["answer"]["links_removed"] > 0, "the model obeyed, and was not shown"
    if attack.place == "document":
        assert "evil.example" not in reply["answer"]
    assert SECRET not in str(reply)
    used = [tool["tool"] for tool in reply["trace"]["tools"] if tool["state"] == "ok"]
    assert set(used) <= {"web_search"}
    assert all(one.path == "/customsearch/v1" for one in setting.service.asked[before:])
    if attack.goal is Goal.MEMORY:
        assert await written(setting.stack) == 0


async def written(stack: Stack) -> int:
    """How many long-term records of a victim hold what an attack asked to be remembered."""
    async with stack.services.cells.home.transaction(stack.tenant.tenant.id) as connection:
        there = await (
            await connection.execute(b"select to_regclass('saegim.memory') as found")
        ).fetchone()
        if there is None or there["found"] is None:
            return 0
        rows = await (
            await connection.execute(b"select count(*) as records from memory")
        ).fetchone()
    return int(rows["records"]) if rows else 0


def test_there_are_sixty() -> None:
    assert len(ATTACKS) == 60
    assert len({(attack.place, attack.order) for attack in ATTACKS}) == 60

"""Folding: started with the turn that makes it due, done in the background, safe to be late."""

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.exceptions import ModelHTTPError, ModelRequestRejectedError

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from benchmarks.doubles.patience import PATIENT_WORKER
from benchmarks.planted_conversations import planted
from saegim.app.infrastructure import Fakes
from saegim.chat.context.assembly import Budgets
from saegim.conversations.summary.repository import NewSummary, PostgresSummaries
from saegim.conversations.summary.summariser import SummaryForm
from saegim.conversations.types import Memory
from saegim.jobs.types import JobKind
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack, while_asking

SESSION = {"Saegim-Session": "s"}
QUICK = replace(
    PATIENT_WORKER,
    first_pause_seconds=0.05,
    longest_pause_seconds=0.2,
    sweep_seconds=0.1,
    attempts=10_000,
    outage_runs=10_000,
    fallback_runs=10_000,
)


def summarizing(
    script: Callable[[RecordedRequest], Reply], seconds: float = 40.0
) -> ScriptedModels:
    lite = {ModelRole.LITE: lambda _: "네, 알겠습니다."}
    return ScriptedModels({**lite, ModelRole.SUMMARIZER: script}, timeout_seconds=seconds)


def plain(shown: RecordedRequest) -> SummaryForm:
    """A summary that tells which turns went into it, and from what."""
    new = shown.blocks("turns")[0].splitlines()
    turns = [line.split("]")[0] + "]" for line in new if line.startswith("[")]
    before = shown.blocks("summary")[0].strip()
    return SummaryForm(summary=f"{before} {''.join(turns)}.".strip())


async def talk(stack: Stack, messages: list[str]) -> str:
    replies = [await stack.say(message, **SESSION) for message in messages]
    return replies[-1]["session_id"]


async def fold_jobs(stack: Stack) -> list[dict[str, Any]]:
    async with stack.services.db.cells.home.connection() as connection:
        cursor = await connection.execute(
            b"select status::text, lock, args from procrastinate_jobs"
            b" where task_name = %s and args ->> 'tenant' = %s",
            (JobKind.SUMMARISE.value, str(stack.tenant.tenant.id)),
        )
        return await cursor.fetchall()


def store(stack: Stack) -> PostgresSummaries:
    services = stack.services
    return PostgresSummaries(services.db.cells, services.encryption.keyring, services.clock)


@pytest.mark.requirement("WM2")
async def test_the_sixth_unfolded_turn_queues_one_fold(stack: Stack) -> None:
    session = await talk(stack, [f"질문 {n}" for n in range(5)])
    assert await fold_jobs(stack) == []
    await talk(stack, [f"질문 {n}" for n in range(4)])

    [job] = await fold_jobs(stack)
    assert (job["status"], job["args"]["subject"]) == ("todo", session)
    assert job["lock"] == f"summarise:{stack.tenant.tenant.id}:{session}"


@pytest.mark.requirement("WM10")
async def test_turns_over_their_token_budget_queue_a_fold_earlier(stack: Stack) -> None:
    session = await talk(stack, ["짧은 질문", "긴 질문입니다. " * 500])
    [job] = await fold_jobs(stack)
    assert job["args"]["subject"] == session
    async with stack.working():
        context = await stack.folded(session, 2)
    assert context["summary"]
    recent = next(block for block in context["blocks"] if block["name"] == "recent")
    assert recent["tokens"] <= Budgets().memory


@pytest.mark.requirement("TN5")
async def test_a_roomy_assistant_reads_the_whole_conversation(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: lambda _: "네."})
    async with new_stack(databases, Fakes(models=models)) as stack:
        response = await stack.http.put(
            "/v1/assistant/config", json={"context": "roomy"}, headers=stack.headers("admin")
        )
        assert response.status_code == 200, response.text
        await talk(stack, [f"질문 {n} {'말 ' * 100}" for n in range(12)])
        assert await fold_jobs(stack) == []
        first = models.requests[-1].messages[0].text
        await talk(stack, ["긴 질문입니다. " * 1_500] * 3)
        assert len(await fold_jobs(stack)) == 1

    assert first.startswith("질문 0 ")
    assert len(models.requests[-4].messages) == 23


async def test_a_failed_turn_counts_for_nothing(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: [Pieces(("…",), 3600)] * 9})
    async with new_stack(databases, Fakes(models=models)) as stack:
        for _ in range(7):
            asking = asyncio.create_task(stack.say("해줘", **SESSION))
            await while_asking(asking, lambda: stack.services.chat.turns._running)
            [(_, turn)] = stack.services.chat.turns._running
            await stack.services.chat.turns.cancel((await stack.caller()).scope, turn)
            assert (await asking)["state"] == "failed"
        assert await fold_jobs(stack) == []


@pytest.mark.requirement("WM2")
async def test_the_oldest_five_are_folded_in_one_call_again_and_again(
    databases: Databases,
) -> None:
    models = summarizing(plain)
    async with new_stack(databases, Fakes(models=models)) as stack:
        session = await talk(stack, [f"질문 {n}" for n in range(1, 18)])
        async with stack.working():
            context = await stack.folded(session, 15)

    assert context["summary"] == "[1][2][3][4][5]. [6][7][8][9][10]. [11][12][13][14][15]."
    assert (context["summary_version"], context["completed_turns"]) == (3, 17)
    assert [turn["number"] for turn in context["recent"]] == list(range(3, 18))


async def test_a_fold_that_read_an_older_state_never_overwrites_a_newer_one(
    stack: Stack,
) -> None:
    session = UUID(await talk(stack, [f"질문 {n}" for n in range(12)]))
    summary_version, tenant = store(stack), stack.tenant.tenant.id
    slow = await summary_version.backlog(tenant, session, 6)
    assert slow is not None
    await stack.services.conversations.summaries.summarise(tenant, session)
    scope = (await stack.caller()).scope
    newer = await summary_version.rebuild(scope, session)

    late = NewSummary(Memory("옛 상태에서 만든 요약"), slow.turns[4].number, CallSource.MODEL)
    assert await summary_version.save_summary(slow, late) is False
    assert await summary_version.rebuild(scope, session) == newer
    assert newer.summary_version == 2


async def test_who_made_a_fold_is_stored_with_it(databases: Databases) -> None:
    made: list[str] = []
    for models in (ScriptedModels({}), summarizing(plain)):
        async with new_stack(databases, Fakes(models=models)) as stack:
            session = await talk(stack, [f"질문 {n}" for n in range(6)])
            tenant = stack.tenant.tenant.id
            await stack.services.conversations.summaries.summarise(tenant, UUID(session))
            async with stack.services.db.cells.home.transaction(tenant) as connection:
                cursor = await connection.execute(b"select made_by from session_summary")
                made += [row["made_by"] for row in await cursor.fetchall()]
    assert made == ["fallback", "model"]


async def test_turns_are_folded_by_rule_where_the_summarizer_refuses_them(
    databases: Databases,
) -> None:
    refused = ModelHTTPError.for_category(
        ModelRequestRejectedError, status_code=400, model_name="m"
    )
    async with new_stack(databases, Fakes(models=summarizing(lambda _: refused))) as stack:
        session = await talk(stack, [f"질문 {n}" for n in range(6)])
        times = replace(QUICK, attempts=2)
        async with stack.working(times):
            context = await stack.folded(session, 5)
    assert context["summary_version"] == 1


async def test_a_turn_that_is_still_running_is_not_passed_over(databases: Databases) -> None:
    begin = asyncio.Event()
    replies = ["답"] * 2 + [Pieces(("천천", "히"), begin=begin)] + ["답"] * 6
    models = ScriptedModels({ModelRole.LITE: replies}, timeout_seconds=3600)
    async with new_stack(databases, Fakes(models=models)) as stack:
        session = await talk(stack, ["하나", "둘"])
        slow = asyncio.create_task(stack.say("느린 질문", **SESSION))
        await while_asking(slow, lambda: len(models.requests) == 3)
        await talk(stack, [f"질문 {n}" for n in range(6)])
        tenant = stack.tenant.tenant.id
        assert await stack.services.conversations.summaries.summarise(tenant, UUID(session)) == 0
        begin.set()
        await slow
        assert await stack.services.conversations.summaries.summarise(tenant, UUID(session)) == 1
        context = await stack.context(session)
    assert context["summarised_through"] == 5
    assert "느린 질문" in context["summary"]


async def test_a_session_that_is_gone_needs_no_fold(stack: Stack) -> None:
    nowhere = UUID(int=7)
    assert (
        await stack.services.conversations.summaries.summarise(stack.tenant.tenant.id, nowhere) == 0
    )


@pytest.mark.requirement("WM2")
async def test_replies_do_not_wait_for_a_slow_summarizer(databases: Databases) -> None:
    never = asyncio.Event()
    models = summarizing(lambda _: Pieces(('{"summary": "늦은 요약"}',), begin=never), 3600)
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working(QUICK):
        session = await talk(stack, [f"질문 {number}" for number in range(9)])
        async with asyncio.timeout(120):
            while all(shown.role is not ModelRole.SUMMARIZER for shown in models.requests):
                await asyncio.sleep(0.05)
        await talk(stack, ["요약하는 동안의 질문"])
        assert (await stack.context(session))["summary_version"] == 0


@pytest.mark.long
@pytest.mark.requirement("WM2")
async def test_a_summarizer_that_takes_half_a_minute_does_not_change_reply_time(
    databases: Databases,
) -> None:
    async def medians(models: ScriptedModels) -> float:
        async with new_stack(databases, Fakes(models=models)) as stack, stack.working(QUICK):
            took: list[float] = []
            for number in range(40):
                began = time.perf_counter()
                await stack.say(f"질문 {number}", **SESSION)
                took.append(time.perf_counter() - began)
            asked = [shown for shown in models.requests if shown.role is ModelRole.SUMMARIZER]
            assert asked, "it was folding meanwhile"
        return statistics.median(took[6:])

    fast = await medians(summarizing(plain))
    slow = await medians(summarizing(lambda _: Pieces(('{"summary": "늦은 요약"}',), 30.0)))
    assert slow < 1.5 * fast + 0.02


@pytest.mark.sized
@pytest.mark.requirement("WM2", "TN5")
async def test_a_summarizer_that_fails_only_delays_folding(databases: Databases) -> None:
    """Every turn meanwhile stays within its budgets; once it is back, nothing is missing."""
    count = sized(30, 60)
    said = [message for message, _ in planted(count, "ko").turns]
    works = False

    def script(shown: RecordedRequest) -> Reply:
        return plain(shown) if works else ConnectionError("down")

    models = summarizing(script)
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working(QUICK):
        session = ""
        for message in said:
            reply = await stack.say(message, **SESSION)
            session = reply["session_id"]
            trace = await stack.http.get(
                f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers()
            )
            context = trace.json()["trace"]["context"]
            assert context["tokens"] <= context["budget"] == Budgets().total
        late = await stack.context(session)
        assert late["summary_version"] == 0
        works = True
        after = await stack.folded(session, count - 5)

    async with new_stack(databases, Fakes(models=summarizing(plain))) as stack, stack.working():
        session = await talk(stack, said)
        expected = await stack.folded(session, count - 5)
    for part in ("summary", "entities", "recent", "summary_version", "summarised_through"):
        assert after[part] == expected[part]

"""Evaluations of an assistant by own questions."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg

from benchmarks.doubles import patience
from tests.integration.chat.library_stack import library_stack
from tests.stack import Databases, Stack

PATH = "/v1/evaluations"
COST = {"question": "비용 알림은 어떻게 받나요?", "expected": "faq-1"}
SENSOR = {"question": "SUPRA XP 센서 이상은 어떻게 조치해?", "expected": "센서 케이블"}
WRONG = {"question": "SUPRA XP 펌프 교체는 어떻게 해?", "expected": "없는 단어"}


async def ask(stack: Stack, method: str, path: str = PATH, user: str = "admin", **more: Any) -> Any:
    return await stack.http.request(method, path, headers=stack.headers(user), **more)


async def save(stack: Stack, *questions: dict[str, str]) -> None:
    body = {"questions": list(questions)}
    saved = await ask(stack, "PUT", f"{PATH}/questions", json=body)
    assert (saved.status_code, saved.json()) == (200, body)


async def run(stack: Stack) -> dict[str, Any]:
    started = await ask(stack, "POST")
    assert (started.status_code, started.json()["state"]) == (202, "running"), started.text
    identifier = started.json()["run_id"]
    tenant = (await stack.caller("admin")).scope.tenant
    await stack.services.evaluation.questions.run(tenant, UUID(identifier))
    return (await ask(stack, "GET", f"{PATH}/{identifier}")).json()


async def test_run_scores_each_question_and_compares_common_ones(databases: Databases) -> None:
    async with library_stack(databases) as stack:
        await save(stack, COST, SENSOR, WRONG)
        first = await run(stack)
        await save(stack, COST, WRONG)
        second = await run(stack)
        listed = (await ask(stack, "GET")).json()["runs"]
        sessions = (await ask(stack, "GET", "/v1/sessions")).json()["sessions"]
        usage = (await ask(stack, "GET", "/v1/usage")).json()["days"]
        removed = await ask(stack, "DELETE", f"{PATH}/{first['run_id']}")
        gone = await ask(stack, "GET", f"{PATH}/{first['run_id']}")
        events = (await ask(stack, "GET", "/v1/audit")).json()["events"]

    cost, sensor, wrong = first["results"]
    assert (first["state"], first["done"], first["right_answers"]) == ("done", 3, 2)
    assert (cost["right"], cost["found"], cost["rank"]) == (True, True, 1)
    assert sensor["right"]
    assert "케이블" in sensor["answer"]
    assert (wrong["right"], wrong["rank"], wrong["right_before"]) == (False, None, None)
    assert first["comparison"] is None
    assert second["comparison"] == {
        "before": first["run_id"], "questions": 2, "right": 1, "right_before": 1
    }  # fmt: skip
    assert [each["right_before"] for each in second["results"]] == [True, False]
    assert [each["run_id"] for each in listed] == [second["run_id"], first["run_id"]]
    assert listed[0]["score"] == 0.5
    # Nothing of it is a conversation or a question of somebody.
    assert (sessions, sum(each["turns"] for each in usage)) == ([], 0)
    assert (removed.status_code, gone.status_code) == (204, 404)
    changed, started = "evaluation_questions_changed", "evaluation_started"
    assert [each["action"] for each in events][:5] == [
        "evaluation_removed", started, changed, started, changed
    ]  # fmt: skip


async def test_job_that_runs_twice_counts_once(databases: Databases) -> None:
    async with library_stack(databases) as stack:
        await save(stack, COST)
        report = await run(stack)
        tenant = (await stack.caller("admin")).scope.tenant
        await stack.services.evaluation.questions.run(tenant, UUID(report["run_id"]))
        await stack.services.evaluation.questions.run(tenant, uuid4())
        again = (await ask(stack, "GET", f"{PATH}/{report['run_id']}")).json()

    assert again == report


async def test_memory_is_neither_read_nor_changed(databases: Databases) -> None:
    async with library_stack(databases) as stack:
        headers = stack.headers("admin")
        body = {"content": "제 부서는 재무팀입니다"}
        await stack.http.post("/v1/memories", json=body, headers=headers)
        forget = {"question": "내 기억을 모두 잊어줘", "expected": "재무팀"}
        await save(stack, {"question": "내 부서가 뭐야?", "expected": "재무팀"}, forget)
        report = await run(stack)
        memories = (await stack.http.get("/v1/memories", headers=headers)).json()["memories"]

    assert [each["right"] for each in report["results"]] == [False, False]
    assert len(memories) == 1


async def test_only_one_run_at_a_time_and_only_with_questions(databases: Databases) -> None:
    async with library_stack(databases, files={}) as stack:
        without = await ask(stack, "POST")
        await save(stack, COST)
        await ask(stack, "POST")
        second = await ask(stack, "POST")
        too_many = {"questions": [{"question": f"{n}?", "expected": "x"} for n in range(201)]}
        many = await ask(stack, "PUT", f"{PATH}/questions", json=too_many)

    assert (without.status_code, without.json()["code"]) == (409, "no_questions")
    assert (second.status_code, second.json()["code"]) == (409, "evaluation_running")
    assert "is running" in second.json()["title"]
    assert many.status_code == 422


async def test_of_starts_at_once_only_one_runs(databases: Databases) -> None:
    async with library_stack(databases, files={}) as stack:
        await save(stack, COST)
        started = await asyncio.gather(*(ask(stack, "POST") for _ in range(6)))
        listed = (await ask(stack, "GET")).json()["runs"]

    assert sorted(each.status_code for each in started) == [202, *[409] * 5]
    assert len(listed) == 1


async def test_run_whose_job_fails_for_good_is_over(databases: Databases) -> None:
    async with library_stack(databases, files={}) as stack:
        await save(stack, COST)
        identifier = (await ask(stack, "POST")).json()["run_id"]
        with psycopg.connect(databases.admin_url, autocommit=True) as admin:
            admin.execute("update saegim.evaluation_run set inputs = 'broken'")
        waiting = (await ask(stack, "GET")).json()["runs"][0]["state"]
        worker = stack.services.worker(replace(patience.PATIENT_WORKER, attempts=1))
        working = asyncio.create_task(worker.run())
        while (run := (await ask(stack, "GET")).json()["runs"][0])["state"] == "running":
            await asyncio.sleep(0.1)
        worker.stop()
        await working
        again = await ask(stack, "POST")
        removed = await ask(stack, "DELETE", f"{PATH}/{identifier}")

    assert waiting == "running"
    assert run["state"] == "failed"
    assert run["finished_at"] is not None
    assert (again.status_code, removed.status_code) == (202, 204)

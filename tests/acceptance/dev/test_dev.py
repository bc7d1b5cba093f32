"""`saegim dev` and the commands beside it."""

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
from typing import Any

import httpx2
import pytest

from tests.acceptance.dev.home import (
    REPOSITORY,
    SAEGIM,
    Home,
    clean_environment,
    descendants,
    is_gone,
    readme_commands,
    streaming,
    wait_for,
)
from tests.web.browser_fixture import PATIENCE
from tests.web.chromium import chromium
from tests.web.talking import ask

DOCUMENT = REPOSITORY / "examples/cost-analysis/documents/gcb-123.ko.md"
PAGES = ("/chat", "/memory", "/library", "/library/search", "/evaluation", "/settings")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_it_says_where_it_is_and_what_to_try(dev: Home) -> None:
    assert wait_for(lambda: f"{dev.url}/sign-in/once?token=" in dev.output, 120)
    assert f"{dev.url}/docs" in dev.output
    assert "demo.key" in dev.output
    assert "saegim model add" in dev.output
    assert dev.key in dev.output
    for part in ("PostgreSQL", "Valkey", "databases and schema", "demo tenant"):
        assert re.search(rf"\d\.\d s  {part}", dev.output), dev.output


def test_the_demo_key_needs_no_other_header(dev: Home) -> None:
    reply = dev.say("안녕하세요")
    assert reply["state"] == "done"
    assert reply["answer"]


def test_the_command_of_the_readme_works_as_written_but_for_the_port(dev: Home) -> None:
    [plain] = readme_commands("curl")
    answer = dev.shell(plain.replace("127.0.0.1:8000", f"127.0.0.1:{dev.port}"))
    assert json.loads(answer)["state"] == "done"
    events = dev.shell(streaming(plain).replace("127.0.0.1:8000", f"127.0.0.1:{dev.port}"))
    assert "event: token" in events
    assert "event: done" in events


@pytest.mark.requirement("CH3")
def test_the_web_app_opens_with_the_demo_key(dev: Home) -> None:
    with httpx2.Client(
        base_url=dev.url, follow_redirects=True, trust_env=False, timeout=180
    ) as browser:
        entrance = browser.get("/")
        assert entrance.url.path == "/sign-in"
        assert "default-src 'none'" in entrance.headers["content-security-policy"]
        inside = browser.post("/sign-in", data={"key": dev.key, "next": "/memory"})
    assert (inside.status_code, inside.url.path) == (200, "/memory")
    assert 'id="boot"' in inside.text


@pytest.mark.requirement("CH3")
async def test_from_the_demo_key_to_a_cited_answer(dev: Home) -> None:
    async with chromium() as browser:
        page = await browser.new_page(locale="ko-KR")
        page.set_default_timeout(PATIENCE)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(dev.url)
        await page.get_by_text("API 키로 로그인").click()
        await page.get_by_label("API 키", exact=True).fill(dev.key)
        await page.get_by_role("button", name="로그인").last.click()
        await page.wait_for_url(f"{dev.url}/chat")

        await page.get_by_role("link", name="문서고").click()
        await page.wait_for_load_state()
        await page.get_by_label("업로드할 파일").set_input_files(DOCUMENT)
        await page.get_by_text("파일 1개 준비됨").wait_for()
        await asyncio.to_thread(dev.until_found, {"gcb-123": "환율 기준"})
        await page.get_by_role("link", name="대화", exact=True).click()
        turn = await ask(page, "gcb-123 환율 기준이 어떻게 바뀌었나요?")
        await turn.locator(".cite").first.click()
        await page.get_by_role("dialog").locator("mark").wait_for()
        await page.keyboard.press("Escape")
        await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
        why = page.get_by_role("dialog")
        await why.get_by_role("tab", name="비용").click()
        await why.get_by_text("설정된 모델 없음").first.wait_for()
        for path in PAGES:
            answer = await page.goto(dev.url + path)
            assert answer.status == 200
            await page.locator("#main").wait_for()
        assert errors == []


def test_secrets_are_for_their_owner_alone(dev: Home) -> None:
    for name in ("master.key", "demo.key", "dev.env"):
        assert stat.S_IMODE((dev.data / name).stat().st_mode) == 0o600


def test_chat_streams_an_answer_and_why_explains_it(dev: Home) -> None:
    said = dev.saegim("chat", "새김은 무엇인가요?", HTTP_PROXY="http://127.0.0.1:9")
    assert said.returncode == 0, said.stderr
    assert said.stdout.strip()
    told = dev.saegim("why")
    assert told.returncode == 0, told.stderr
    assert "fallback" in told.stdout
    assert json.loads(dev.saegim("why", "--json").stdout)["calls"]


def test_an_operator_makes_a_tenant_and_a_key_for_one_of_its_users(dev: Home) -> None:
    made = dev.saegim("tenant", "create", "펫 케어", "--locale", "ko")
    assert made.returncode == 0, made.stderr
    tenant = re.search(r"tenant\s+(\S+)", made.stdout)
    assert tenant
    # The next step is told, ready to be copied.
    assert f"saegim key create --tenant {tenant[1]} --user" in made.stderr
    wanted = ("--tenant", tenant[1], "--user", "보호자 1", "--role", "editor")
    key = dev.saegim("key", "create", *wanted)
    assert key.returncode == 0, key.stderr
    said = dev.saegim("chat", "안녕", SAEGIM_KEY=key.stdout.strip())
    assert said.returncode == 0, said.stderr
    bearer = {"Authorization": f"Bearer {key.stdout.strip()}"}
    assert dev.request("GET", "/v1/me", headers=bearer)["role"] == "editor"


def test_a_conversation_stays_in_one_session(dev: Home) -> None:
    said = dev.saegim("chat", typed="안녕하세요\n뭐라고 했죠?\n\n")
    assert said.returncode == 0, said.stderr
    [last] = dev.request("GET", "/v1/sessions?count=1")["sessions"]
    turns = dev.request("GET", f"/v1/sessions/{last['session_id']}/turns")["turns"]
    assert [turn["message"] for turn in turns] == ["안녕하세요", "뭐라고 했죠?"]


def test_a_second_one_is_refused_whether_port_or_folder_is_taken(dev: Home) -> None:
    same_port = dev.saegim("dev", "--port", str(dev.port), "--data", "elsewhere")
    assert same_port.returncode == 1
    assert f"127.0.0.1:{dev.port} is already in use" in same_port.stderr
    same_folder = dev.saegim("dev", "--port", "0")
    assert same_folder.returncode == 1
    assert "Another server is using this data folder" in same_folder.stderr
    assert dev.answers()
    assert (dev.data / "dev.env").exists()


def is_well(report: dict[str, Any]) -> bool:
    return set(report.values()) == {0, "ok"}


@linux_only
def test_doctor_finds_everything_well_and_notices_a_worker_that_stands_still(dev: Home) -> None:
    assert wait_for(lambda: dev.workers() == 1, 180)
    # On a busy machine a part may respond too late for the first report.
    well = dev.doctor_until(is_well)
    assert well["exit"] == 0
    assert is_well(well)
    assert {
        "keyring",
        "level",
        "api",
        "postgres",
        "pgvector",
        "migrations",
        "isolation",
        "redis",
        "jobs",
    } <= set(well)
    assert {"embedder", "model lite", "model judge"} <= set(well)

    worker = dev.worker()
    os.kill(worker, signal.SIGSTOP)
    try:
        assert wait_for(lambda: dev.workers() == 0, 180)
        report = dev.doctor_until(lambda report: report.get("worker") == "warning")
        assert (report["worker"], report["exit"]) == ("warning", 0)
    finally:
        os.kill(worker, signal.SIGCONT)


@linux_only
def test_a_worker_that_dies_is_started_again(dev: Home) -> None:
    died = dev.worker()
    os.kill(died, signal.SIGKILL)
    assert wait_for(lambda: is_gone(died) and dev.process is not None and alive(dev, died), 180)
    assert "worker" in dev.output


def alive(dev: Home, other_than: int) -> bool:
    try:
        return dev.worker() != other_than
    except ValueError:
        return False


@linux_only
def test_ctrl_c_leaves_nothing_running_and_the_next_start_finds_everything(dev: Home) -> None:
    first = dev.say("첫 번째 실행에서 한 말")
    key, processes = dev.key, descendants(dev.process.pid) if dev.process else []
    assert len(processes) > 5

    assert dev.stop(signal.SIGINT) == 0
    assert all(is_gone(pid) for pid in processes)
    assert "Stopped." in dev.output
    assert not (dev.data / "dev.env").exists()
    nothing = dev.saegim("doctor")
    assert nothing.returncode == 1
    assert "Saegim is not running" in nothing.stdout

    dev.start()
    assert dev.key == key
    turns = dev.request("GET", f"/v1/sessions/{first['session_id']}/turns")["turns"]
    assert [turn["message"] for turn in turns] == ["첫 번째 실행에서 한 말"]


@linux_only
def test_sigkill_leaves_no_orphan(dev: Home) -> None:
    assert dev.process is not None
    processes = descendants(dev.process.pid)
    assert len(processes) > 5
    dev.stop(signal.SIGKILL)
    assert wait_for(lambda: all(is_gone(pid) for pid in processes), 180)
    gone = dev.doctor()
    assert (gone["exit"], gone["api"], gone["postgres"]) == (1, "broken", "broken")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_it_is_not_opened_to_others(home: Home, host: str) -> None:
    refused = home.saegim("dev", "--host", host)
    assert refused.returncode == 1
    assert "only listens on this machine" in refused.stderr


@pytest.mark.parametrize("encoding", ["cp949", "ascii"])
def test_a_console_of_another_encoding_is_no_error(home: Home, encoding: str) -> None:
    environment = clean_environment(PYTHONIOENCODING=encoding, SAEGIM_LANG="ko")
    for arguments in (["--help"], ["doctor", "--data", "nowhere"]):
        done = subprocess.run(
            [SAEGIM, *arguments],
            cwd=home.folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr
        assert done.stdout

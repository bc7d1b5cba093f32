"""`saegim source` against a running API, in both languages."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.sources.conftest import documents, in_bucket, look
from tests.integration.sources.site import ACCESS, REGION, SECRET, Site, Store
from tests.stack import Stack, served

pytestmark = pytest.mark.requirement("LB10")


async def saegim(stack: Stack, port: int, *arguments: str, lang: str = "en") -> tuple[int, str]:
    """Runs a command with the tenant's key; returns its status and output."""
    given = {
        "SAEGIM_KEY": stack.tenant.key,
        "SAEGIM_LANG": lang,
        "AWS_ACCESS_KEY_ID": ACCESS,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "COLUMNS": "200",
    }
    command = [sys.executable, "-m", "saegim.cli.main", "source", *arguments]
    command += ["--url", f"http://127.0.0.1:{port}", "--user", "editor"]
    run = await asyncio.to_thread(
        subprocess.run, command, env={**os.environ, **given}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return run.returncode, run.stdout + run.stderr


async def test_a_source_is_added_shown_looked_at_and_removed(
    stack: Stack, site: Site, bucket: Store
) -> None:
    page = site.put("/a", "환불", "환불은 7일입니다.")
    bucket.objects = {"g/b.md": "# 배송\n\n배송은 이틀입니다.".encode()}
    async with served(stack.services) as http:
        port = http.base_url.port
        assert port is not None
        code, said = await saegim(stack, port, "add", "urls", page, "--every", "12")
        assert (code, "Added source" in said) == (0, True), said
        source = said.split()[-1]
        code, said = await saegim(
            stack, port, "add", "s3", "docs", "--prefix", "g/", "--endpoint", bucket.url,
            "--region", REGION, lang="ko",
        )  # fmt: skip
        assert (code, "출처를 추가했습니다" in said) == (0, True), said
        await look(stack, source)
        assert set(await documents(stack)) == {page, "b.md"}
        assert bucket.refused == 0

        code, said = await saegim(stack, port, "list")
        assert (code, said.count("documents 1 · changed 1"), SECRET in said) == (0, 2, False), said
        code, said = await saegim(stack, port, "list", lang="ko")
        assert (code, said.count("문서 1 · 변경 1")) == (0, 2), said
        code, said = await saegim(stack, port, "sync", source)
        assert code == 0, said
        code, said = await saegim(stack, port, "remove", source, "--yes")
        assert code == 0, said
        code, said = await saegim(stack, port, "remove", source, "--yes")
        assert code != 0
    assert in_bucket(bucket)["bucket"] == "docs"


async def test_an_operator_adds_a_folder(stack: Stack, root: Path) -> None:
    from saegim.cli.library.sources import add_folder

    (root / "a.md").write_text("# 하나\n\n첫 문서입니다.", "utf-8")
    tenant = stack.tenant.tenant.id
    await add_folder(stack.services, root, tenant, "default", "guide", 24, 100)
    listed = await stack.http.get("/v1/sources", headers=stack.headers())
    [source] = listed.json()["sources"]
    assert (await look(stack, source["source_id"]))["documents"] == 1

"""Fills a site with the data of a small team: documents, talks, memories, usage, settings."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels, call
from benchmarks.doubles.providers import BrokenProvider
from tests.integration.chat.library_stack import scripted
from tests.integration.library.conftest import bring_in
from tests.stack import Databases
from tests.web.browser_fixture import Site, cited, staged
from tests.web.screenshot_texts import STORY, Texts

EXAMPLE = Path(__file__).parents[2] / "examples/cost-analysis/documents"
OPERATIONS = ("sop-", "ts-", "gcb-", "myservice-")


def files(language: str) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The documents of one language: questions, product, operations."""
    entries = json.loads((EXAMPLE / "faq.json").read_text("utf-8"))
    own = [entry for entry in entries if entry["language"] == language]
    pages = {path.name: path.read_text("utf-8") for path in EXAMPLE.glob(f"*.{language}.md")}
    product = {name: text for name, text in pages.items() if not name.startswith(OPERATIONS)}
    operations = {name: text for name, text in pages.items() if name.startswith(OPERATIONS)}
    return {"faq.json": json.dumps(own)}, product, operations


def models(texts: Texts) -> ScriptedModels:
    """Models that answer the questions of the story."""

    def answer(shown: RecordedRequest) -> Reply:
        message = next(each.text for each in reversed(shown.messages) if each.role == "user")
        said = message.rpartition("</")[2] if "</" in message else message
        if texts.compare in said:
            return cited(shown, texts.comparison, ("1,200,000",), ("초과 요금이", "Security > SSO"))
        if texts.code in said or texts.edited in said:
            return texts.example
        for question, expected in texts.tests[:2]:
            if question in said:
                return f"{expected} [1]"
        if texts.told in said:
            if "remember" in shown.tools and shown.messages[-1].role == "user":
                return call("remember", statement=texts.told, quote=texts.told)
            return texts.acknowledged
        return texts.fee

    return scripted(lite=answer)


@asynccontextmanager
async def filled(databases: Databases, language: str) -> AsyncIterator[Site]:
    """A site with everything that belongs to the team and not to one person."""
    texts = STORY[language]
    questions, product, operations = files(language)
    async with staged(databases, questions, models(texts), texts.tenant) as site:
        site.keys["language"] = language
        for name, brought in zip(texts.collections, (product, operations), strict=True):
            await send(site, "POST", "/v1/collections", {"name": name})
            await bring_in(site.stack, brought, name)
        await site.assistant(*texts.assistant[:2])
        await _settings(site, texts)
        await _usage(site, texts)
        yield site


async def send(site: Site, method: str, path: str, body: object, user: str = "") -> Any:
    """Call the API as a person; as the first one if none is named."""
    name = user or STORY[site.keys["language"]].people[0]
    headers = {"Authorization": f"Bearer {await site.key(name)}"}
    response = await site.stack.http.request(method, path, json=body, headers=headers)
    assert response.is_success, f"{path}: {response.text}"
    return response.json() if response.content else None


async def person(site: Site, texts: Texts, user: str) -> None:
    """Memories and earlier conversations of one person."""
    memories = [
        {"type": kind, "content": text, "said_at": f"{day}T03:00:00Z", "importance": weight}
        for kind, text, day, weight in texts.memories
    ]
    body = {"format": "saegim-memory/1", "memories": memories}
    imported = await send(site, "POST", "/v1/memories/import", body, user)
    services, tenant = site.stack.services, site.stack.tenant.tenant.id
    await services.memory.imports.run(tenant, UUID(imported["import_id"]))
    listed = await send(site, "GET", "/v1/memories", None, user)
    ids = {each["content"]: each["memory_id"] for each in listed["memories"]}
    first, second = texts.memories[0][1], texts.memories[3][1]
    await send(site, "PUT", f"/v1/memories/{ids[first]}/pin", {"pinned": True}, user)
    # A second version, for the history.
    shorter = {"content": second.replace("3년 약정", "1년 약정").replace("three years", "one year")}
    await send(site, "PATCH", f"/v1/memories/{ids[second]}", shorter, user)
    session = ""
    for question, title, days in texts.earlier:
        asked = await send(site, "POST", "/v1/chat", {"message": question}, user)
        session = asked["session_id"]
        await send(site, "PATCH", f"/v1/sessions/{session}", {"title": title}, user)
        at = datetime.now(UTC) - timedelta(days=days, hours=2)
        with psycopg.connect(site.stack.databases.admin_url) as connection:
            connection.execute(
                "update saegim.session set used_at = %s where session_id = %s", (at, session)
            )
    await send(site, "PATCH", f"/v1/sessions/{session}", {"pinned": True}, user)


async def _settings(site: Site, texts: Texts) -> None:
    address = {"kind": "sitemap", "url": "https://docs.costlens.example/sitemap.xml"}
    source = {"source": address, "collection": texts.collections[0], "every_hours": 6}
    await send(site, "POST", "/v1/sources", source)
    hook = {
        "url": "https://hooks.costlens.example/saegim",
        "events": ["turn.unanswered", "ingest.done"],
    }
    await send(site, "POST", "/v1/webhooks", hook)
    for email, role in (("sujin@costlens.example", "editor"), ("jun@costlens.example", "member")):
        await send(site, "POST", "/v1/invitations", {"email": email, "role": role})
    questions = [{"question": asked, "expected": expected} for asked, expected in texts.tests]
    await send(site, "PUT", "/v1/evaluations/questions", {"questions": questions})
    run = await send(site, "POST", "/v1/evaluations", None)
    async with asyncio.timeout(120):
        while (await send(site, "GET", f"/v1/evaluations/{run['run_id']}", None))[
            "state"
        ] == "running":
            await asyncio.sleep(0.2)
    asked = await send(site, "POST", "/v1/chat", {"message": texts.unanswered}, texts.people[4])
    shared = {"thumb": "down", "for_evaluation": True}
    path = f"/v1/turns/{asked['turn_id']}/feedback"
    await send(site, "PUT", path, shared, texts.people[4])


async def _usage(site: Site, texts: Texts) -> None:
    """Four weeks of use, as a small team has it."""
    people = [
        (await send(site, "GET", "/v1/me", None, name))["user_id"] for name in texts.people[:4]
    ]
    tenant = site.stack.tenant
    with psycopg.connect(site.stack.databases.admin_url) as connection:
        for day in range(28):
            for turn in range(14 + (day * 7) % 11 + 6 * (day % 7 < 5)):
                at = datetime.now(UTC) - timedelta(days=27 - day, hours=turn % 9)
                strong = turn % 6 == 0
                cost = {
                    "input_tokens": 1900 + 37 * (turn % 13),
                    "output_tokens": 260 + 11 * (turn % 17),
                    "cost_usd": str(0.0021 + 0.009 * strong),
                }
                name = "gpt-5.2" if strong else "gpt-5-mini"
                call = {"role": "flash" if strong else "lite", "model": name, "step": "answer"}
                event = {
                    "escalated": strong,
                    "latency_ms": 900 + 130 * (turn % 9) + 40 * (day % 5),
                    "calls": [call | cost],
                }
                connection.execute(
                    "insert into saegim.usage_event (tenant_id, turn_id, member_id, assistant_id,"
                    " kind, outcome, event, occurred_at)"
                    " values (%s, %s, %s, %s, 'AI_INTERACTION', %s, %s, %s)",
                    (
                        tenant.tenant.id, uuid4(), people[turn % 4], tenant.assistant.id,
                        "nothing_found" if turn % 19 == 3 else "answered", Jsonb(event | cost), at,
                    ),
                )  # fmt: skip


@asynccontextmanager
async def connected_model(site: Site) -> AsyncIterator[None]:
    """A model provider, for the pages that show one; the story has its own models."""
    async with BrokenProvider(text="OK") as provider:
        body = {
            "provider": "openai-compatible", "name": "OpenAI", "base_url": provider.base_url,
            "api_key": "sk-0123456789-wxyz", "model": "gpt-5-mini",
        }  # fmt: skip
        made = await send(site, "POST", "/v1/model-connections", body)
        yield
        await send(site, "DELETE", f"/v1/model-connections/{made['connection_id']}", None)

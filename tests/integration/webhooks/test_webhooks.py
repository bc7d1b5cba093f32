"""Webhooks are signed, retried, and never sent into the private network."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from standardwebhooks import Webhook, WebhookVerificationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from saegim.app.infrastructure import Fakes, KeyTimes
from saegim.domain.errors import Invalid
from saegim.webhooks.service import WAITS, HttpSender
from tests.integration.chat.library_stack import configure
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("CH1")

EVERYTHING = ["turn.done", "turn.unanswered", "turn.handed_off", "ingest.done", "erasure.done"]
OTHER_SECRET = "whsec_" + "AAAA" * 8
LOOPBACK = {"webhooks_private_networks": ["127.0.0.0/8"], "erasure_grace_hours": 0}


@dataclass
class Receiver:
    """A tenant's server: stores deliveries and responds as configured."""

    url: str = ""
    status: int = 204
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def take(self, request: Request) -> Response:
        self.heard.append((dict(request.headers), await request.body()))
        return Response(status_code=self.status, headers={"Location": f"{self.url}/elsewhere"})

    def told(self, event: str) -> list[dict[str, Any]]:
        bodies = [json.loads(body) for _, body in self.heard]
        return [body for body in bodies if body["type"] == event]

    async def until_told(self, event: str) -> dict[str, Any]:
        async with asyncio.timeout(180):
            while not self.told(event):
                await asyncio.sleep(0.05)
        return self.told(event)[-1]


@contextlib.asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = Starlette(routes=[Route("/{rest:path}", receiver.take, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    receiver.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield receiver
    server.should_exit = True
    await task


async def hooked(stack: Stack, receiver: Receiver, *events: str) -> dict[str, Any]:
    body = {"url": f"{receiver.url}/hook", "events": list(events)}
    made = await stack.http.post("/v1/webhooks", json=body, headers=stack.headers("admin"))
    assert made.status_code == 201, made.text
    return made.json()


async def own_document(stack: Stack, user: str) -> str:
    """Imports a private document of a user."""
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    path = f"/v1/ingests/{ingest}/files/own.md"
    sent = await stack.http.put(path, content="# 나만 읽는 글\n\n비밀".encode(), headers=headers)
    assert sent.status_code == 202, sent.text
    return ingest


async def is_done(stack: Stack, ingest: str, user: str) -> None:
    async with asyncio.timeout(180):
        while True:
            path = f"/v1/ingests/{ingest}"
            shown = (await stack.http.get(path, headers=stack.headers(user))).json()
            if all(each["state"] == "done" for each in shown["files"]):
                return
            await asyncio.sleep(0.05)


async def test_everything_that_happens_is_told_once_and_signed(databases: Databases) -> None:
    fakes = Fakes(key_times=KeyTimes(remember=0.2, margin=0.1))
    async with new_stack(databases, fakes, settings=LOOPBACK) as stack, receiving() as receiver:
        await stack.services.warm_up()
        await configure(stack, strict=True)
        hook = await hooked(stack, receiver, *EVERYTHING)
        reply = await stack.say("화성의 인구는 몇 명입니까?")
        await stack.http.post(f"/v1/turns/{reply['turn_id']}/hand-off", headers=stack.headers())
        own = await own_document(stack, "editor")
        ingest = await bring_in(stack, {"ec2.md": GUIDE})
        erasure = await stack.http.post(
            "/v1/erasures", json={"me": True}, headers=stack.headers("leaver")
        )
        async with stack.working():
            done = await receiver.until_told("turn.done")
            handed = await receiver.until_told("turn.handed_off")
            brought = await receiver.until_told("ingest.done")
            unanswered = await receiver.until_told("turn.unanswered")
            erased = await receiver.until_told("erasure.done")
            await is_done(stack, own, "editor")
        queued = await deliveries(stack, hook["webhook_id"])

    assert erasure.is_success, erasure.text
    assert erased["data"] == {"erasure_id": erasure.json()["erasure_id"]}
    assert unanswered["data"] == {"turn_id": reply["turn_id"]}
    assert done["data"] == {"turn_id": reply["turn_id"]}
    assert handed["data"] == {"turn_id": reply["turn_id"]}
    assert brought["data"] == {"ingest_id": ingest["ingest_id"]}
    assert len(receiver.told("turn.done")) == 1
    assert own not in str(queued), "nobody is told of a person's own documents"
    for headers, body in receiver.heard:
        assert Webhook(hook["secret"]).verify(body, headers)["id"] == headers["webhook-id"]
        with pytest.raises(WebhookVerificationError):
            Webhook(OTHER_SECRET).verify(body, headers)
        assert "화성" not in body.decode()


async def test_what_is_not_taken_is_tried_again_and_given_up_in_the_end(
    databases: Databases,
) -> None:
    async with new_stack(databases, settings=LOOPBACK) as stack, receiving() as receiver:
        hook = await hooked(stack, receiver, "turn.done")
        other = await hooked(stack, receiver, "turn.done")
        receiver.status = 500
        await stack.say("안녕")
        tenant = stack.tenant.tenant.id
        waiting = await deliveries(stack, hook["webhook_id"])
        delivery = waiting[0]["delivery_id"]
        for _ in range(len(WAITS) + 3):
            await stack.services.webhooks.deliver(tenant, delivery)
        failed = (await deliveries(stack, hook["webhook_id"]))[0]
        receiver.status = 204
        second = (await deliveries(stack, other["webhook_id"]))[0]["delivery_id"]
        for _ in range(2):
            await stack.services.webhooks.deliver(tenant, second)
        taken = (await deliveries(stack, other["webhook_id"]))[0]

    assert waiting[0]["state"] == "waiting"
    assert (failed["state"], failed["attempts"], failed["status"]) == (
        "failed",
        len(WAITS) + 1,
        500,
    )
    assert (taken["state"], taken["attempts"]) == ("delivered", 1)
    assert len(receiver.heard) == len(WAITS) + 2


RUNNING = """
    update procrastinate_jobs set status = 'doing'
    where task_name = 'deliver' and args ->> 'subject' = %s
"""
WAITING = """
    select count(*) as jobs from procrastinate_jobs
    where task_name = 'deliver' and args ->> 'subject' = %s and status = 'todo'
"""


async def test_a_job_that_runs_twice_queues_one_next_attempt(databases: Databases) -> None:
    async with new_stack(databases, settings=LOOPBACK) as stack, receiving() as receiver:
        hook = await hooked(stack, receiver, "turn.done")
        receiver.status = 500
        await stack.say("안녕")
        [waiting] = await deliveries(stack, hook["webhook_id"])
        subject = (waiting["delivery_id"],)
        waiting_jobs: list[int] = []
        async with stack.services.db.cells.home.connection() as connection:
            assert (await connection.execute(RUNNING, subject)).rowcount == 1
        for _ in range(2):
            await stack.services.webhooks.deliver(stack.tenant.tenant.id, waiting["delivery_id"])
            async with stack.services.db.cells.home.connection() as connection:
                row = await (await connection.execute(WAITING, subject)).fetchone()
            assert row is not None
            waiting_jobs.append(row["jobs"])

    assert len(receiver.heard) == 2
    assert waiting_jobs == [1, 1]


async def deliveries(stack: Stack, webhook: str) -> list[dict[str, Any]]:
    shown = await stack.http.get(
        f"/v1/webhooks/{webhook}/deliveries", headers=stack.headers("admin")
    )
    assert shown.status_code == 200, shown.text
    return shown.json()["deliveries"]


async def test_a_redirect_is_not_followed(databases: Databases) -> None:
    async with new_stack(databases, settings=LOOPBACK) as stack, receiving() as receiver:
        receiver.status = 307
        hook = await hooked(stack, receiver, "turn.done")
        ping = await stack.http.post(
            f"/v1/webhooks/{hook['webhook_id']}/ping", headers=stack.headers("admin")
        )
        await stack.services.webhooks.deliver(stack.tenant.tenant.id, ping.json()["delivery_id"])

    assert ping.status_code == 202
    assert len(receiver.heard) == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.7/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
    ],
)
async def test_no_private_address_is_reached(url: str) -> None:
    sender = HttpSender()
    sender.check(url)
    answer = await sender.send(url, b"{}", {})
    await sender.close()

    assert answer.error == "private_address"


@pytest.mark.parametrize(
    "url",
    ["http://example.com/", "ftp://example.com/", "https://", "https://a:b@example.com/", "가나다"],
)
async def test_only_https_addresses_are_taken(url: str) -> None:
    sender = HttpSender()
    with pytest.raises(Invalid):
        sender.check(url)
    await sender.close()


async def test_a_webhook_that_is_removed_is_told_nothing(databases: Databases) -> None:
    async with new_stack(databases, settings=LOOPBACK) as stack, receiving() as receiver:
        hook = await hooked(stack, receiver, "turn.done")
        await stack.say("안녕")
        gone = await stack.http.delete(
            f"/v1/webhooks/{hook['webhook_id']}", headers=stack.headers("admin")
        )
        listed = await stack.http.get("/v1/webhooks", headers=stack.headers("admin"))
        async with stack.working():
            await asyncio.sleep(0.5)

    assert gone.status_code == 204
    assert listed.json() == {"webhooks": []}
    assert receiver.heard == []

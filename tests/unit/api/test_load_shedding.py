"""Load shedding, on an app that responds on request."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID, uuid4

import httpx2
import pytest
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from saegim.api import load_shedding
from saegim.api.load_shedding import Admission, AdmissionLimits, EarlyRefusals, Load, Senders
from saegim.api.problems import problem
from saegim.domain.errors import TooManyAtOnce
from saegim.domain.scope import Caller, Role, Scope as Owner

LIMITS = AdmissionLimits(
    process=6,
    tenant=4,
    user=2,
    streams_per_user=2,
    waiting_per_user=2,
    unknown=3,
    wait_seconds=0.05,
)
TENANTS = {"a": UUID(int=1), "b": UUID(int=2)}
AWAY = ("203.0.113.9", 4711)


class SlowApp:
    """Answers once it is opened. A key is `<tenant>-<user>`; any other is wrong."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.working = 0
        self.users: dict[str, UUID] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.working += 1
        try:
            tenant, _, user = Headers(scope=scope)["authorization"].split()[1].partition("-")
            if tenant not in TENANTS:
                await _start(send, 401, "application/json")
                return
            try:
                owner = Owner(TENANTS[tenant], self.users.setdefault(user, uuid4()), uuid4())
                load_shedding.verified(scope, _caller(owner))
            except TooManyAtOnce as refusal:
                await problem(refusal, "en")(scope, receive, send)
                return
            streams = scope["path"] == "/stream"
            if streams:
                await _start(send, 200, "text/event-stream", more=True)
            await self.opened.wait()
            await (_end(send) if streams else _start(send, 200, "application/json"))
        finally:
            self.working -= 1


def _caller(owner: Owner) -> Caller:
    return Caller(scope=owner, role=Role.MEMBER, assistant=uuid4(), key=uuid4())


async def _start(send: Send, status: int, kind: str, *, more: bool = False) -> None:
    headers = [(b"content-type", kind.encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if not more:
        await _end(send)


async def _end(send: Send) -> None:
    await send({"type": "http.response.body", "body": b""})


class Town:
    """The app behind admission, and ways to send it requests."""

    def __init__(self, failures: int = 3, limits: AdmissionLimits = LIMITS) -> None:
        self.app = SlowApp()
        self.busy = False
        self.refused: Counter[str] = Counter()
        self.failed = 0
        load = Load(lambda: self.busy, self._refuse, self._fail)
        self.senders = Senders(limits)
        guarded = Admission(self.app, self.senders, failures, load)
        transport = httpx2.ASGITransport(guarded, client=AWAY)
        self.http = httpx2.AsyncClient(transport=transport, base_url="http://saegim")

    def _refuse(self, bound: str) -> None:
        self.refused[bound] += 1

    def _fail(self, headers: Headers, address: str | None) -> None:
        assert address == AWAY[0]
        self.failed += 1

    async def ask(self, key: str, path: str = "/v1/x") -> httpx2.Response:
        async with asyncio.timeout(180):
            return await self.http.get(path, headers={"Authorization": f"Bearer {key}"})

    async def works_on(self, requests: int) -> None:
        """Waits until so many requests are in progress."""
        async with asyncio.timeout(180):
            while self.app.working != requests:
                await asyncio.sleep(0.005)

    @asynccontextmanager
    async def asking(self, *keys: str, path: str = "/v1/x") -> AsyncIterator[list[httpx2.Response]]:
        """Requests in progress at the same time, which are answered at the end."""
        answers: list[httpx2.Response] = []
        before = self.app.working
        tasks = [asyncio.create_task(self.ask(key, path)) for key in keys]
        async with asyncio.timeout(180):
            while self.app.working - before < len([task for task in tasks if not task.done()]):
                await asyncio.sleep(0.005)
        yield answers
        self.app.opened.set()
        answers += await asyncio.gather(*tasks)


async def test_one_user_has_so_many_requests_at_once_and_others_are_not_kept() -> None:
    town = Town()
    async with town.asking("a-1", "a-1") as answers:
        [first, second] = await asyncio.gather(town.ask("a-1"), town.ask("a-1"))
        waiting = asyncio.create_task(town.ask("b-1"))
        await town.works_on(3)
    assert {first.status_code, second.status_code} == {429}
    assert 1 <= int(first.headers["Retry-After"]) <= 4
    assert first.json()["code"] == "too_many_at_once"
    assert [answer.status_code for answer in answers] == [200, 200]
    assert (await waiting).status_code == 200
    assert town.refused == {"user": 2}


async def test_a_request_that_waits_briefly_gets_the_place_that_comes_free() -> None:
    town = Town(limits=replace(LIMITS, wait_seconds=600))
    async with town.asking("a-1", "a-1"):
        waiting = asyncio.create_task(town.ask("a-1"))
        await asyncio.sleep(0.01)
    assert (await waiting).status_code == 200


async def test_a_tenant_cannot_take_all_places_of_a_process() -> None:
    town = Town()
    async with town.asking("a-1", "a-2"), town.asking("a-3", "a-4"):
        refused = await town.ask("a-5")
        other = asyncio.create_task(town.ask("b-1"))
        await town.works_on(5)
    assert (refused.status_code, refused.json()["detail"]) == (429, "bound: tenant")
    assert (await other).status_code == 200


async def test_a_user_with_several_credentials_is_one_user() -> None:
    town = Town()
    town.app.users |= {"1": (same := uuid4()), "2": same}
    async with town.asking("a-1", "a-1"):
        assert (await town.ask("a-2")).status_code == 429


async def test_streams_give_their_place_back_and_have_a_bound_of_their_own() -> None:
    town = Town()
    async with town.asking("a-1", "a-1", path="/stream"):
        refused = await town.ask("a-1")
        other = asyncio.create_task(town.ask("a-2"))
        await town.works_on(3)
    assert refused.status_code == 429
    assert (await other).status_code == 200
    assert (await town.ask("a-1")).status_code == 200


async def test_a_busy_database_refuses_the_tenant_above_its_share_alone() -> None:
    town = Town()
    town.app.opened.set()
    await town.ask("a-1")
    await town.ask("a-2")
    await town.ask("b-1")
    town.app.opened.clear()
    async with town.asking("a-1", "a-1"):
        town.busy = True
        refused = await town.ask("a-2")
        other = asyncio.create_task(town.ask("b-1"))
        await town.works_on(3)
    assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
    assert refused.headers["Retry-After"]
    assert (await other).status_code == 200


async def test_health_never_waits_behind_other_requests() -> None:
    town = Town()
    async with town.asking("a-1", "a-1", path="/health/live") as answers:
        assert town.app.working == 2
        third = asyncio.create_task(town.ask("a-1", "/health/live"))
        await town.works_on(3)
    assert (await third).status_code == 200
    assert len(answers) == 2


async def test_an_address_that_fails_too_often_is_refused_unless_its_credential_is_known() -> None:
    town = Town()
    town.app.opened.set()
    assert (await town.ask("a-1")).status_code == 200
    failures = [await town.ask(f"wrong-{number}") for number in range(5)]
    assert [answer.status_code for answer in failures] == [401, 401, 401, 429, 429]
    assert 0 < int(failures[-1].headers["Retry-After"]) <= 60
    assert (await town.ask("a-1")).status_code == 200
    assert (await town.ask("b-1")).status_code == 429
    assert town.failed == 3


@pytest.mark.parametrize("shown", ["bearer a-1", "Bearer  a-1", "BEARER a-1 "])
async def test_other_spellings_of_a_credential_are_the_same_credential(shown: str) -> None:
    town = Town()
    async with town.asking("a-1", "a-1"):
        refused = await town.http.get("/v1/x", headers={"Authorization": shown})
    assert refused.status_code == 429


async def test_places_are_empty_after_everything_was_answered() -> None:
    town = Town(failures=0)
    for path in ("/v1/x", "/stream"):
        town.app.opened.clear()
        async with town.asking("a-1", "b-1", "wrong-1", path=path):
            pass
    for _ in range(LIMITS.process + 1):
        assert (await town.ask("a-1")).status_code == 200


def _request(key: str, *fields: str, path: str = "/v1/chat", body: str = "") -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: x", f"authorization: Bearer {key}", *fields]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", body]).encode()


async def test_a_sender_beyond_its_bounds_is_refused_before_its_request_is_parsed() -> None:
    town, refused = Town(limits=replace(LIMITS, waiting_per_user=0)), list[str]()
    early = EarlyRefusals(town.senders, refused.append)
    assert early.refusal(_request("a-1")) is None
    async with town.asking("a-1", "a-1"):
        refusal = early.refusal(_request("a-1", "Accept-Language: en", body="{}"))
        others = [
            _request("a-1", "Saegim-User: bora"),
            _request("b-1"),
            _request("a-1", path="/health/live"),
            _request("a-1", "Origin: https://example.com"),
            _request("a-1", "Transfer-Encoding: chunked"),
            _request("a-1", body="{}")[:-1],
            _request("a-1")[:-2],
        ]
        assert [early.refusal(each) for each in others] == [None] * len(others)
    assert refusal is not None
    error, locale = refusal
    assert (error.code, locale, refused) == ("too_many_at_once", "en", ["user"])
    assert 1 <= error.retry_after <= 4
    assert early.refusal(_request("a-1")) is None

"""Measure how long the heaviest valid request of every route blocks the event loop.

Requests are made from the OpenAPI document: every string and list at the limit of its schema, up to
the maximum body of 1 MB, with texts that are slow to mask, tokenise and analyse. The processor time
of each callback is measured, which does not depend on other load. `make verify-stalls` runs all of
it; a test runs one text.
"""

import argparse
import asyncio
import json
import sys
import time
from asyncio import events
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx2

from benchmarks import results, rule_seconds
from benchmarks.page import everything, publish
from saegim.app.container import Services
from saegim.text.tokens import count

CEILING_MS = 100.0
BODY_BYTES = 950_000
SECONDS = 60.0
TEXTS = {
    "ids": "900101-1234567 ",
    "passwords": "비밀번호는 abcd1234 ",
    "hangul": "가나다라마바사아자차카타파하",
    "words": "예약 인스턴스를 쓰면 비용이 줄어듭니다. ",
    "questions": "how did what did he that we eat rice and when was it, ",
    "spaces": " ",
    "decomposed": "\u1100\u1161",
}
# A message may have 8,000.
PLAIN_TOKENS = 7_900
METHODS = ("get", "post", "put", "patch", "delete")
# Endless streams, and pages that need a sign-in.
LEFT_OUT = ("/metrics", "/v1/events")


@dataclass
class Stalls:
    """The longest callback, and what ran in it."""

    longest: float = 0.0
    callback: str = ""

    def note(self, seconds: float, handle: events.Handle) -> None:
        if seconds > self.longest:
            self.longest, self.callback = seconds, repr(handle)[:300]


@contextmanager
def measured(stalls: Stalls) -> Iterator[None]:
    """Times every callback of event loops in this thread."""
    original = events.Handle._run  # noqa: SLF001 - asyncio has no hook for this

    def timed(self: events.Handle) -> None:
        began = time.thread_time()
        original(self)
        stalls.note(time.thread_time() - began, self)

    events.Handle._run = timed  # noqa: SLF001
    try:
        yield
    finally:
        events.Handle._run = original  # noqa: SLF001


@dataclass(frozen=True)
class Heavy:
    """One request."""

    name: str
    method: str
    path: str
    body: bytes | None
    headers: Mapping[str, str]


@dataclass
class Maker:
    """Builds the heaviest value that a schema allows."""

    document: Mapping[str, Any]
    text: str
    left: int = BODY_BYTES
    depth: int = 0
    plain: bool = False
    """Whether optional fields are left out, and texts are as long as a message may be."""

    def value(self, schema: Mapping[str, Any]) -> Any:
        if "$ref" in schema:
            return self.value(self._referred(schema["$ref"]))
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return self.value(self._heaviest(schema[word]))
        if "const" in schema or "enum" in schema:
            return schema.get("const", (schema.get("enum") or [None])[0])
        kind = schema.get("type")
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return self._array(schema)
        if kind == "string":
            return self._string(schema)
        if kind in ("integer", "number"):
            return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return True if kind == "boolean" else None

    def _referred(self, name: str) -> Mapping[str, Any]:
        found: Any = self.document
        for word in name.removeprefix("#/").split("/"):
            found = found[word]
        return found

    def _heaviest(self, options: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        order = ("array", "object", "string", "number", "integer", "boolean", "null")
        return min(
            options,
            key=lambda each: 0 if "$ref" in each else 1 + order.index(each.get("type", "null")),
        )

    def _object(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        fields: Mapping[str, Any] = schema.get("properties", {})
        if self.plain or self.depth > 6:
            fields = {name: fields[name] for name in schema.get("required", ())}
        self.depth += 1
        # Short fields first; the rest of the size goes into long texts.
        made = {name: self.value(fields[name]) for name in sorted(fields, key=self._size(fields))}
        self.depth -= 1
        return made

    def _size(self, fields: Mapping[str, Any]) -> Any:
        return lambda name: (
            len(json.dumps(fields[name]))
            + (10_000 if fields[name].get("type") == "array" else fields[name].get("maxLength", 0))
        )

    def _array(self, schema: Mapping[str, Any]) -> list[Any]:
        most = min(schema.get("maxItems", 1_000), 2_000)
        made: list[Any] = []
        while len(made) < most and self.left > 2_000:
            each = Maker(self.document, self.text, min(self.left, 20_000), self.depth + 1)
            value = each.value(schema.get("items", {"type": "string"}))
            self.left -= len(json.dumps(value, ensure_ascii=False).encode())
            made.append(value)
        return made

    def _string(self, schema: Mapping[str, Any]) -> str:
        form = schema.get("format")
        if form == "uuid":
            return str(uuid4())
        if form == "date-time":
            return "2026-01-01T00:00:00Z"
        if form in ("uri", "url"):
            return "https://example.com/"
        if "pattern" in schema:
            return "abc"
        bytes_each = len(self.text.encode()) / len(self.text)
        length = int(min(schema.get("maxLength", 100_000), max(self.left, 0) / bytes_each / 1.1))
        if self.plain:
            length = min(length, len(self.text) * (PLAIN_TOKENS // (count(self.text) + 1)))
        made = (self.text * (length // len(self.text) + 1))[:length] or "x"
        self.left -= len(made.encode())
        return made


def heavy_requests(document: Mapping[str, Any], text: str) -> Iterator[Heavy]:
    """Returns the heaviest request of every operation in an OpenAPI document, and the heaviest
    with its required fields alone: all fields together are often too large to be accepted."""
    for path, operations in document["paths"].items():
        if path.startswith(LEFT_OUT):
            continue
        for method in METHODS:
            if method not in operations:
                continue
            whole = _heavy(document, path, method, text)
            yield whole
            plain = _heavy(document, path, method, text, plain=True)
            if plain.body != whole.body:
                yield plain


def _heavy(
    document: Mapping[str, Any], path: str, method: str, text: str, *, plain: bool = False
) -> Heavy:
    operation = document["paths"][path][method]
    name, query = f"{method.upper()} {path}", list[str]()
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            made = Maker(document, "x", 100).value(parameter["schema"])
            path = path.replace("{" + parameter["name"] + "}", str(made))
        elif parameter["in"] == "query" and parameter["schema"].get("maxLength"):
            long = Maker(document, text, 2_000).value(parameter["schema"])
            query.append(str(httpx2.QueryParams({parameter["name"]: long})))
    content = operation.get("requestBody", {}).get("content", {})
    headers, body = dict[str, str](), None
    if "application/json" in content:
        value = Maker(document, text, plain=plain).value(content["application/json"]["schema"])
        body = json.dumps(value, ensure_ascii=False).encode()
        headers["content-type"] = "application/json"
    elif content:
        body, headers["content-type"] = text.encode() * (BODY_BYTES // len(text.encode())), "*/*"
    return Heavy(name, method, path + ("?" + "&".join(query) if query else ""), body, headers)


@dataclass
class Report:
    """Milliseconds of the longest callback by operation, and counts by status."""

    longest: dict[str, float] = field(default_factory=dict[str, float])
    callbacks: dict[str, str] = field(default_factory=dict[str, str])
    statuses: dict[int, int] = field(default_factory=dict[int, int])

    def note(self, name: str, status: int, stalls: Stalls) -> None:
        took = stalls.longest * 1000
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if took > self.longest.get(name, -1.0):
            self.longest[name], self.callbacks[name] = took, stalls.callback

    def above(self, ceiling: float) -> dict[str, str]:
        return {
            name: f"{took:.0f} ms in {self.callbacks[name]}"
            for name, took in self.longest.items()
            if took > ceiling
        }


async def measure(
    http: httpx2.AsyncClient,
    headers: Mapping[str, str],
    document: Mapping[str, Any],
    texts: Sequence[str],
    only: Collection[str] = (),
) -> Report:
    """Sends the heaviest request of every operation, or of those named, with every text."""
    report = Report()
    # Recall does less for a user without memories.
    memory = {"content": "부산에 산다", "type": "fact"}
    (await http.post("/v1/memories", json=memory, headers=dict(headers))).raise_for_status()
    for text in texts:
        for heavy in heavy_requests(document, text):
            if only and heavy.name not in only:
                continue
            stalls = Stalls()
            with measured(stalls):
                status = await _send(http, heavy, headers)
                # Background work of a request, such as its turn, counts too.
                await asyncio.sleep(0.05)
            report.note(heavy.name, status, stalls)
    return report


async def _send(http: httpx2.AsyncClient, heavy: Heavy, headers: Mapping[str, str]) -> int:
    try:
        response = await asyncio.wait_for(
            http.request(
                heavy.method.upper(),
                heavy.path,
                content=heavy.body,
                headers={**headers, **heavy.headers},
            ),
            SECONDS,
        )
    except TimeoutError:
        return 0
    return response.status_code


@asynccontextmanager
async def _running(folder: Path) -> AsyncIterator[tuple[Services, httpx2.AsyncClient, str]]:
    from benchmarks.turn.speed import (  # noqa: PLC0415 - loads models, which a test need not
        _services,  # pyright: ignore[reportPrivateUsage] - the same house
    )
    from saegim.api.app import create_app  # noqa: PLC0415
    from saegim.db.cells import HOME_CELL  # noqa: PLC0415
    from saegim.localservers.servers import LocalServers  # noqa: PLC0415

    servers = LocalServers.start(folder, durable=False)
    services = _services(servers, folder)
    try:
        await services.open()
        await services.warm_up()
        made = await services.auth.tenants.create("벤치", "ko", HOME_CELL)
        transport = httpx2.ASGITransport(app=create_app(services))
        async with httpx2.AsyncClient(transport=transport, base_url="http://saegim") as http:
            yield services, http, made.key
    finally:
        await services.close()
        servers.stop()


async def verify(texts: Sequence[str]) -> Report:
    """Runs once in its own folder."""
    with TemporaryDirectory(prefix="saegim-stalls-") as folder:
        async with _running(Path(folder)) as (_, http, key):
            document = (await http.get("/v1/openapi.json")).json()
            headers = {"Authorization": f"Bearer {key}", "Saegim-User": "alice"}
            return await measure(http, headers, document, texts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", default=",".join(TEXTS))
    parser.add_argument("--messages", type=int, default=rule_seconds.MESSAGES)
    arguments = parser.parse_args()
    chosen = arguments.texts.split(",")
    slow = rule_seconds.slowest(rule_seconds.messages(arguments.messages))
    judged = asyncio.run(rule_seconds.slowest_judgement(arguments.messages))
    sent = rule_seconds.slowest(
        rule_seconds.messages(arguments.messages), rule_seconds.readers_before_a_model()
    )
    for each in (slow, judged, sent):
        print(f"{each.seconds:8.2f} s   {each.reader}: {each.text[:60]!r}")
    report = asyncio.run(verify([TEXTS[name] for name in chosen]))
    worst = sorted(report.longest.items(), key=lambda each: -each[1])
    for name, took in worst[:15]:
        print(f"{took:8.1f} ms  {name}")
    print("statuses", dict(sorted(report.statuses.items())))
    above = report.above(CEILING_MS)
    for name, why in above.items():
        print(f"{name}: {why}")
    figures = {
        "operations": float(len(report.longest)),
        "requests": float(sum(report.statuses.values())),
        "accepted": float(sum(n for status, n in report.statuses.items() if 200 <= status < 300)),
        "longest_stall_ms": round(worst[0][1], 1),
        "over_100_ms": float(len(above)),
        "rules.messages": float(arguments.messages),
        "rules.worst_cpu_s": round(slow.seconds, 3),
        "heads.worst_cpu_s": round(judged.seconds, 3),
        "before_a_model.worst_cpu_s": round(sent.seconds, 3),
    }
    print(results.write("stalls", figures, {"texts": chosen}))
    publish("stalls", everything(figures))
    is_slow = max(slow.seconds, judged.seconds) > rule_seconds.CEILING_SECONDS
    return 1 if above or is_slow else 0


if __name__ == "__main__":
    sys.exit(main())

"""Play the script against the product and record what the person got and what the model was asked.

    python -m benchmarks.turn_model.run NAME --by-hand FOLDER   # answered through files
    python -m benchmarks.turn_model.run NAME --url URL          # any OpenAI-compatible server
    python -m benchmarks.turn_model.run NAME --replay           # from recordings/NAME.json

The recording is written to recordings/NAME.json. `--compare` plays the messages for comparison
alone, so that the code of an earlier release can play them; `--system alone` and `--system loop`
run a model without the product. `--script FILE` and `--recordings FOLDER` take others. The clock is
that of the script.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from benchmarks import results
from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle, working
from benchmarks.library.bench_stack import import_texts, stores
from benchmarks.turn_model.by_hand import FINISHED, ByHand
from benchmarks.turn_model.model_server import AnswerSource, ModelServer
from benchmarks.turn_model.plain_loop import PlainLoop
from benchmarks.turn_model.relay import OpenAISource
from benchmarks.turn_model.replay import Packing, QuietBackground, Replay
from benchmarks.turn_model.script import (
    RECORDINGS,
    SCRIPT,
    ScriptMessage,
    Shown,
    chosen,
    failures,
    library,
    load,
)
from saegim import __version__
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.chat.types import TurnTimes
from saegim.jobs.types import WorkerTimes
from saegim.llm.ports import ModelRole

TENANT = "누리솔루션 Nuri Solutions"
CONFIG = {
    "description": "누리솔루션 직원의 사내 도우미: 회사 규정과 안내, 제품 누리데스크(NuriDesk)",
    "menu_links": [{"label": "People team", "url": "https://nuri.example/people"}],
}
# Somebody writes the answers by hand.
LONGEST_SECONDS = 86_400.0
WORKER_TIMES = WorkerTimes(
    poll_seconds=0.1, stalled_seconds=3_600, longest_job_seconds=LONGEST_SECONDS
)
TICK = timedelta(milliseconds=1)
MOST_TICKS = 30_000
NEXT_JOB = """
    select min(scheduled_at) as at from procrastinate_jobs
    where status = 'todo' and scheduled_at > now() and scheduled_at <= %s
"""
MAKE_DUE = """
    update procrastinate_jobs set scheduled_at = now()
    where status = 'todo' and scheduled_at > now() and scheduled_at <= %s
"""


@dataclass
class ScriptClock:
    """The time of the message that is played; it goes on a little with each look."""

    at: datetime
    ticks: int = 0

    def now(self) -> datetime:
        self.ticks = min(self.ticks + 1, MOST_TICKS)
        return self.at + self.ticks * TICK

    def go_to(self, at: datetime) -> None:
        self.at, self.ticks = at, 0


@dataclass
class Player:
    """Plays messages over HTTP, one after the other, and lets the background work between them."""

    services: Services
    http: httpx2.AsyncClient
    key: str
    clock: ScriptClock
    server: ModelServer

    async def play(self, message: ScriptMessage) -> Shown:
        """Send a message at its time, and wait for the background jobs behind it."""
        await self.go_to(message.at)
        self.server.message, self.server.session = message.id, message.session
        reply, streamed = await self._send(message)
        await until_idle(self.services, LONGEST_SECONDS)
        if self.server.failures:
            raise RuntimeError("\n".join(self.server.failures))
        return Shown(
            answer=reply["answer"] or "",
            state=reply["state"],
            citations=tuple(map(_citation, reply["citations"])),
            effects=tuple(reply.get("effects", ())),
            proposal=reply.get("proposal"),
            grounded=reply.get("grounded"),
            error=reply.get("error"),
            memories=await self.memories(message.user),
            streamed=streamed,
        )

    async def go_to(self, at: datetime) -> None:
        """Let time pass, with the jobs that become due on the way."""
        while True:
            async with self.services.db.cells.home.connection() as connection:
                row = await (await connection.execute(NEXT_JOB, (at,))).fetchone()
                due: datetime | None = row["at"] if row else None
                if due is not None:
                    await connection.execute(MAKE_DUE, (due,))
            if due is None:
                break
            self.clock.go_to(max(due, self.clock.now()))
            await until_idle(self.services, LONGEST_SECONDS)
        self.clock.go_to(max(at, self.clock.now()))

    async def memories(self, user: str) -> tuple[str, ...]:
        response = await self.http.get("/v1/memories", headers=self._headers(user))
        response.raise_for_status()
        return tuple(each["content"] for each in response.json()["memories"])

    async def _send(self, message: ScriptMessage) -> tuple[dict[str, Any], str]:
        headers = self._headers(message.user) | {
            "Saegim-Session": message.session,
            "Accept": "text/event-stream",
        }
        text, event = "", ""
        body = {"message": message.say}
        async with self.http.stream("POST", "/v1/chat", json=body, headers=headers) as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    data = json.loads(line.removeprefix("data: "))
                    if event == "token":
                        text += data["text"]
                    elif event == "restart":
                        text = ""
                    elif event == "done":
                        return data, text
                    elif event == "error":
                        return {"answer": text, "state": "failed", "citations": [], **data}, text
        raise RuntimeError(f"{message.id}: the stream ended early")

    def _headers(self, user: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "Saegim-User": user}


def _citation(citation: Mapping[str, Any]) -> dict[str, Any]:
    return {name: citation[name] for name in ("marker", "kind", "title", "section")}


@contextlib.asynccontextmanager
async def player(
    server: ModelServer,
    begin: datetime,
    base: Settings | None = None,
    config: Mapping[str, Any] = CONFIG,
) -> AsyncGenerator[Player]:
    """Run the product with the library and the models of a server, on new stores or on those of the
    settings."""
    clock = ScriptClock(begin - timedelta(days=1))
    times = TurnTimes(LONGEST_SECONDS, 40_000, 40_000, 40_000, LONGEST_SECONDS)
    async with contextlib.AsyncExitStack() as stack:
        if base is None:
            base = (await stack.enter_async_context(stores(durable=False))).settings()
        fakes = patient(Fakes(clock=clock, turn_times=times))
        services = build(settings(base, server.url), fakes)
        await services.open()
        await services.warm_up()
        try:
            async with working(services, WORKER_TIMES), _served(services) as http:
                key = await import_texts(services, TENANT, library())
                headers = {"Authorization": f"Bearer {key}", "Saegim-User": "admin"}
                put = await http.put("/v1/assistant/config", json=config, headers=headers)
                put.raise_for_status()
                yield Player(services, http, key, clock, server)
        finally:
            await services.close()


def settings(base: Settings, url: str) -> Settings:
    """Return the settings of a hosted provider whose models are named after their roles."""
    names = {f"model_{role.value}": role.value for role in ModelRole}
    return base.model_copy(
        update={
            "provider": "compatible",
            "provider_base_url": f"{url}/v1",
            "model_step_seconds": 40_000.0,
            "model_first_token_seconds": LONGEST_SECONDS,
            "model_turn_seconds": LONGEST_SECONDS,
            "model_background_seconds": LONGEST_SECONDS,
            **names,
        }
    )


@contextlib.asynccontextmanager
async def _served(services: Services) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve the API on a socket of this machine."""
    # Connections stay open while jobs run between two messages.
    keep = int(LONGEST_SECONDS)
    config = uvicorn.Config(
        create_app(services), port=0, log_config=None, lifespan="off", timeout_keep_alive=keep
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        url = f"http://127.0.0.1:{port}"
        async with httpx2.AsyncClient(base_url=url, timeout=LONGEST_SECONDS) as client:
            yield client
    finally:
        server.should_exit = True
        await task


@dataclass
class Recording:
    """What a run showed, and every request with its answer."""

    system: str
    messages: list[tuple[ScriptMessage, Shown]] = field(
        default_factory=list[tuple[ScriptMessage, Shown]]
    )

    def save(self, path: Path, server: ModelServer) -> None:
        packing = Packing()
        requests = [packing.pack(each) for each in server.exchanges]
        document = {
            "system": self.system,
            "version": __version__,
            "commit": results._git("rev-parse", "--short", "HEAD"),  # noqa: SLF001
            "messages": [
                {"id": message.id, "failures": failures(message, shown), **asdict(shown)}
                for message, shown in self.messages
            ],
            "texts": packing.texts,
            "requests": requests,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")


async def play(
    messages: Sequence[ScriptMessage],
    source: AnswerSource,
    path: Path | None = None,
    base: Settings | None = None,
    config: Mapping[str, Any] = CONFIG,
) -> tuple[Recording, ModelServer]:
    """Play messages against the product; the recording is saved after each."""
    recording = Recording("saegim")
    async with (
        ModelServer(source) as server,
        player(server, messages[0].at, base, config) as playing,
    ):
        for message in messages:
            shown = await playing.play(message)
            recording.messages.append((message, shown))
            found = failures(message, shown)
            print(f"{message.id}: {'; '.join(found) or 'ok'}", file=sys.stderr, flush=True)
            if path is not None:
                recording.save(path, server)
        # What is due after the last message.
        await playing.go_to(messages[-1].at + timedelta(hours=1))
    if path is not None:
        recording.save(path, server)
    return recording, server


async def play_baseline(
    messages: Sequence[ScriptMessage], source: AnswerSource, system: str, path: Path | None
) -> Recording:
    """Play messages against a model without the product, alone or in a loop of tools."""
    recording = Recording(system)
    async with (
        ModelServer(source) as server,
        httpx2.AsyncClient(base_url=server.url, timeout=LONGEST_SECONDS) as models,
        player(server, messages[0].at) as playing,
    ):
        playing.http.headers["Authorization"] = f"Bearer {playing.key}"
        playing.http.headers["Saegim-User"] = "reader"
        searches = playing.http if system == "loop" else None
        plain = PlainLoop(models, searches, TENANT)
        for message in messages:
            server.message, server.session = message.id, message.session
            recording.messages.append((message, await plain.play(message)))
            print(message.id, file=sys.stderr, flush=True)
            if path is not None:
                recording.save(path, server)
    return recording


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--by-hand", type=Path)
    parser.add_argument("--url", default=os.environ.get("MODEL_URL"))
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--compare", action="store_true", help="messages for comparison alone")
    parser.add_argument("--only", help="ids of messages, separated by commas")
    parser.add_argument("--system", choices=("saegim", "alone", "loop"), default="saegim")
    parser.add_argument("--quiet", action="store_true", help="nothing to say in the background")
    parser.add_argument("--script", type=Path, default=SCRIPT)
    parser.add_argument("--recordings", type=Path, default=RECORDINGS)
    given = parser.parse_args(arguments)
    path = given.recordings / f"{given.name}.json"
    messages = load(given.script)
    if given.compare:
        messages = chosen(messages)
    if given.only:
        messages = [each for each in messages if each.id in given.only.split(",")]
    source = source_of(given.by_hand, given.url, path if given.replay else None)
    source = QuietBackground(source) if given.quiet else source
    written = None if given.replay else path
    if given.system == "saegim":
        asyncio.run(play(messages, source, written))
    else:
        asyncio.run(play_baseline(messages, source, given.system, written))
    if given.by_hand:
        (given.by_hand / FINISHED).touch()
    return 0


def source_of(folder: Path | None, url: str | None, replayed: Path | None) -> AnswerSource:
    if replayed is not None:
        return Replay.load(replayed)
    if folder is not None:
        return ByHand(folder)
    if not url:
        sys.exit("name --by-hand FOLDER, --url URL or --replay")
    return OpenAISource(url)


if __name__ == "__main__":
    sys.exit(main())

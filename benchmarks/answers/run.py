"""Ask the questions of a running installation, over HTTP and streamed, one user after another."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID, uuid4

import httpx2

from benchmarks.answers import model
from benchmarks.answers.model import LoggedCall, ModelControl
from benchmarks.answers.questions import BenchQuestion, Conversation, Half, QuestionSet
from benchmarks.answers.script import BACKGROUND
from benchmarks.load.driving import caught_up
from benchmarks.stack import LiveStack, Places, hosted
from saegim.client.client import SaegimClient
from saegim.client.events import Token, TurnOpened
from saegim.client.types import AssistantSaid, UserSaid
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.llm.metering import price
from saegim.llm.model_config import OPENAI_URL
from saegim.llm.ports import ModelRole
from saegim.llm.providers import default_model

AT_ONCE = 2
IMPORT_SECONDS = 1_800
WARM_UP = 4


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question and what its answer took. `calls` are the steps in order; times in ms."""

    id: str
    set: str
    half: Half
    answerable: bool
    first_token_ms: float
    over_provider_ms: float
    """Beyond the first token of the provider itself."""
    own_ms: float
    """Beyond all model calls before the first token."""
    calls_before: int
    calls: tuple[str, ...]
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    usd: float
    gold_in_context: bool
    confidence: float
    outcome: str
    faults: int = 0
    """Model calls that failed: of the harness, or a time limit."""
    doubts: tuple[str, ...] = ()


@dataclass(slots=True)
class Answers:
    """All answers, and the calls of the long conversation and of the background."""

    answered: list[AnsweredQuestion] = field(default_factory=list[AnsweredQuestion])
    long: list[LoggedCall] = field(default_factory=list[LoggedCall])
    background: list[LoggedCall] = field(default_factory=list[LoggedCall])


def settings(model_url: str) -> dict[str, str]:
    """Returns the settings of a hosted provider with OpenAI's models, at another address.

    The time limits are those of a hosted provider: by its address this one would be a slow model
    on this machine. The embedder is the bundled one.
    """
    names = {role.value.upper(): default_model("openai", role) for role in ModelRole}
    return {
        "SAEGIM_PROVIDER": "compatible",
        "SAEGIM_PROVIDER_BASE_URL": f"{model_url}/v1",
        **{f"SAEGIM_MODEL_{role}": name for role, name in names.items() if name},
        **hosted(),
    }


async def run(
    asked: QuestionSet,
    halves: Sequence[Half],
    source: Path | None = None,
    speed: float = 1.0,
    kept: Path | None = None,
) -> Answers:
    """Imports the libraries once, and asks the questions of the halves.

    `source` is the code of another release. `kept` is a folder that keeps the stores for the next
    run, which then imports nothing.
    """
    with model.running(speed) as url, _folder(kept) as folder:
        library = KeptLibrary.load(folder / "library.json")
        environment = settings(url) | {"SAEGIM_MASTER_KEY": library.master_key}
        async with (
            LiveStack.start(folder, None, 1, environment, Places(source=source)) as stack,
            httpx2.AsyncClient(base_url=url, timeout=30) as http,
        ):
            await import_libraries(stack, asked.libraries, library)
            asker = Asker(stack, ModelControl(http), library.keys, speed)
            return await _ask_all(asker, asked, halves)


@contextlib.contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is None:
        with TemporaryDirectory(prefix="saegim-answers-") as folder:
            yield Path(folder)
    else:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept


@dataclass(slots=True)
class KeptLibrary:
    """The tenants of an installation by the digest of their documents."""

    path: Path
    master_key: str
    keys: dict[str, str] = field(default_factory=dict[str, str])
    digests: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def load(cls, path: Path) -> "KeptLibrary":
        if not path.exists():
            return cls(path, format_master_key(new_key()))
        return cls(path, **json.loads(path.read_text("utf-8")))

    def save(self) -> None:
        stored = {"master_key": self.master_key, "keys": self.keys, "digests": self.digests}
        self.path.write_text(json.dumps(stored), "utf-8")


async def _ask_all(asker: "Asker", asked: QuestionSet, halves: Sequence[Half]) -> Answers:
    conversations, made = asked.of(halves), Answers()
    # Kept stores have the conversations of earlier runs.
    run_id = uuid4().hex[:8]
    for conversation in conversations[:WARM_UP]:
        await asker.converse(conversation[:1], f"warm-up-{run_id}")
    await asker.control.take_log()
    waiting = iter(enumerate(conversations))

    async def user() -> None:
        for number, conversation in waiting:
            made.answered += await asker.converse(conversation, f"user-{run_id}-{number}")
            print(f"{len(made.answered)} answered", end="\r", file=sys.stderr, flush=True)

    await asyncio.gather(*(user() for _ in range(AT_ONCE)))
    await asker.settle()
    made.background = [each for each in await asker.control.take_log() if each.step in BACKGROUND]
    if asked.long:
        await asker.converse(asked.long, f"long-{run_id}")
        made.long = [each for each in await asker.control.take_log() if each.question is not None]
    return made


async def import_libraries(
    stack: LiveStack, libraries: Mapping[str, Mapping[str, bytes]], kept: KeptLibrary
) -> None:
    """Creates a tenant with the documents of each library that is not there yet."""
    for name, documents in libraries.items():
        digest = sha256(b"".join(documents.values())).hexdigest()
        if kept.digests.get(name) == digest:
            continue
        key = await _new_tenant(stack, name)
        async with SaegimClient(stack.url, key, user="editor") as client:
            opened = await client.open_ingest()
            for file, content in documents.items():
                await client.send_file(opened.ingest_id, file, content)
            await caught_up(stack, IMPORT_SECONDS)
            done = await client.ingest(opened.ingest_id)
        if any(file.state != "done" for file in done.files):
            raise RuntimeError(f"{name}: {done.files}")
        kept.keys[name], kept.digests[name] = key, digest
        await asyncio.to_thread(kept.save)
        print(f"imported {name}", file=sys.stderr)


async def _new_tenant(stack: LiveStack, name: str) -> str:
    """Creates a tenant with the command of the release that runs; returns its key."""
    made = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "saegim.cli.main", "tenant", "create", name, "--json"],
        env=os.environ | stack.environment | stack.places.code(),
        check=True,
        capture_output=True,
    )
    return str(json.loads(made.stdout)["key"])


class Asker:
    """Asks as users do, and reads trace and log of each answer."""

    def __init__(
        self, stack: LiveStack, control: ModelControl, keys: Mapping[str, str], speed: float
    ) -> None:
        self.control = control
        self._stack = stack
        self._keys = keys
        self._speed = speed

    async def settle(self) -> None:
        """Waits for the background jobs."""
        await caught_up(self._stack, 300)

    async def converse(self, conversation: Conversation, user: str) -> list[AnsweredQuestion]:
        """Asks the questions of one user, one after the other."""
        key = self._keys[conversation[0].library]
        async with SaegimClient(self._stack.url, key, user=user) as client:
            return [await self._ask(client, question) for question in conversation]

    async def _ask(self, client: SaegimClient, question: BenchQuestion) -> AnsweredQuestion:
        await self.control.begin(question.gold)
        turn, first, began = None, None, time.time()
        history = None if question.history is None else [*map(_said, question.history)]
        events = client.stream(
            question.gold.message, session=question.session, chat_history=history
        )
        async for event in events:
            if isinstance(event, TurnOpened):
                turn = event.turn_id
            elif isinstance(event, Token) and first is None:
                first = time.time()
        calls = await self.control.end(question.gold)
        assert turn is not None, "a stream begins with its turn"
        trace = await _trace(client, turn)
        return read_answer(question, trace, calls, (began, first or time.time()), self._speed)


async def _trace(client: SaegimClient, turn: UUID) -> dict[str, Any]:
    return (await client.trace(turn)).trace


def _said(entry: Mapping[str, str]) -> UserSaid | AssistantSaid:
    kind = UserSaid if entry["role"] == "user" else AssistantSaid
    return kind.model_validate(entry)


def read_answer(
    question: BenchQuestion,
    trace: Mapping[str, Any],
    calls: Sequence[LoggedCall],
    times: tuple[float, float],
    speed: float = 1.0,
) -> AnsweredQuestion:
    """Returns the measures of an answer from its trace, the model's log, and the times of the
    request and of its first token."""
    began, first = times
    answer, findings = trace.get("answer") or {}, trace.get("findings") or {}
    before = [call for call in calls if call.at <= first]
    waited = before[:-1] if before and _writes(before[-1], answer) else before
    answering = [call for call in calls if call.streamed or call.step == "draft"]
    took = (first - began) * 1000
    provider = model.FIRST_TOKEN_SECONDS * 1000 / speed
    return AnsweredQuestion(
        id=question.id,
        set=question.set,
        half=question.half,
        answerable=question.answerable,
        first_token_ms=round(took, 1),
        over_provider_ms=round(took - provider, 1),
        own_ms=round(took - sum(map(_model_ms, before)) / speed, 1),
        calls_before=len(waited),
        calls=tuple(call.step for call in calls),
        input_tokens=sum(call.prompt_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        usd=round(sum(map(usd, calls)), 8),
        gold_in_context=bool(answering) and answering[-1].has_gold,
        confidence=float(findings.get("by_rule", findings.get("confidence", 0.0))),
        outcome=str(answer.get("outcome", "")),
        faults=sum(call.get("fault") is not None for call in trace.get("calls", ())),
        doubts=tuple((trace.get("routing") or {}).get("doubts", ())),
    )


def _writes(call: LoggedCall, answer: Mapping[str, Any]) -> bool:
    """Returns whether a call wrote the first token: a draft only if it is shown, a request for
    another search never."""
    if call.streamed:
        return not call.searches
    return call.step == "draft" and answer.get("choice") == "draft"


def _model_ms(call: LoggedCall) -> float:
    seconds = model.FIRST_TOKEN_SECONDS if call.streamed else model.STRUCTURED_SECONDS
    return seconds * 1000


def usd(call: LoggedCall) -> float:
    """Returns the list price of a call; cached tokens cost as much as others."""
    return float(price(call.model, call.prompt_tokens, call.output_tokens, OPENAI_URL) or 0)

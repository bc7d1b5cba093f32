"""Clients that chat, add notes, read their own data and try to read that of others."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from benchmarks.durable import Talk, say
from benchmarks.stack import LiveStack
from saegim.client.client import Retry, SaegimClient
from saegim.client.errors import ClientError
from saegim.client.library_types import FoundPassage

# Without a full stop: grounding sets its citations before one.
ANSWER = "천천히 한 마디씩 답합니다"
# Valid as the output of every model step.
FORM = json.dumps(
    {
        "statements": [],
        "summary": "지금까지의 이야기",
    }
)
# Seconds after which a search that lacks a part counts as it is.
DEGRADED_SECONDS = 30.0
ONCE = Retry(retries=0)
# Shortest and longest pause of a client before it does something else.
USUAL_THINK = (0.05, 0.5)
ACTS = ("say", "say", "say", "note", "say", "read", "say", "trespass")


@dataclass
class Person(Talk):
    """One client, with what was acknowledged and what was sent without a response."""

    mark: str = ""
    noted: list[str] = field(default_factory=list[str])
    unsure: list[str] = field(default_factory=list[str])
    foreign: int = 0
    longest_wait: float = 0.0


@dataclass
class Library:
    """A tenant whose library grows during the run."""

    key: str
    sent: list[str] = field(default_factory=list[str])
    ingests: list[UUID] = field(default_factory=list[UUID])


class Load:
    """All clients of a run."""

    def __init__(
        self,
        stack: LiveStack,
        people: Sequence[Person],
        library: Library,
        think: tuple[float, float] = USUAL_THINK,
        least_acts: int = 0,
    ) -> None:
        self._stack = stack
        self._people = people
        self._library = library
        self._think = think
        self._least_acts = least_acts
        self._over = asyncio.Event()

    def end(self) -> None:
        self._over.set()

    async def run(self, seed: int) -> None:
        """Runs until it is stopped and each client has acted `least_acts` times; started
        conversations are finished."""
        async with asyncio.TaskGroup() as together:
            for number, person in enumerate(self._people):
                together.create_task(self._live(person, number, random.Random(seed + number)))
            together.create_task(self._fill_library())

    async def _live(self, person: Person, number: int, chance: random.Random) -> None:
        async with self._client(person) as client:
            act = number
            while not self._over.is_set() or act < number + self._least_acts:
                act += 1
                match ACTS[act % len(ACTS)]:
                    case "say":
                        await self._say(client, person, f"{number}-{act}", chance)
                    case "note":
                        await self._note(person, f"{person.mark} 메모 {number}-{act}")
                    case "read":
                        await self._read(person)
                    case _:
                        await self._trespass(person, chance)
                await asyncio.sleep(chance.uniform(*self._think))

    def _client(self, person: Person, retry: Retry | None = None) -> SaegimClient:
        return SaegimClient(
            self._stack.url, person.key, user=person.user, session="s", timeout=15.0, retry=retry
        )

    async def _say(
        self, client: SaegimClient, person: Person, key: str, chance: random.Random
    ) -> None:
        message = f"{person.mark} {key}번째 이야기: 값은 {chance.randint(0, 10**6)}"
        began = time.monotonic()
        reply = await say(client, message, key)
        person.longest_wait = max(person.longest_wait, time.monotonic() - began)
        person.said.append(message)
        person.turns.append(str(reply.turn_id))
        person.session = str(reply.session_id)

    async def _note(self, person: Person, content: str) -> None:
        """Sends a note once: without a response it may or may not exist, but not twice."""
        async with self._client(person, ONCE) as client:
            try:
                await client.memories.add(content)
            except ClientError:
                person.unsure.append(content)
            else:
                person.noted.append(content)

    async def _read(self, person: Person) -> None:
        """Reads own data if possible; it must not contain anything else."""
        with contextlib.suppress(ClientError):
            async with self._client(person, ONCE) as client:
                recalled = await client.memories.recall(f"{person.mark} 값은 얼마라고 했지?")
                shown = [each.text for each in (*recalled.records, *recalled.episodes)]
                if person.session:
                    turns = client.turns(UUID(person.session))
                    shown += [turn.message async for turn in turns]
                person.foreign += count_foreign(shown, person.mark, self._people)

    async def _trespass(self, person: Person, chance: random.Random) -> None:
        """Requests a conversation of another tenant by its id."""
        others = [one for one in self._people if one.key != person.key and one.session]
        if not others:
            return
        with contextlib.suppress(ClientError):
            async with self._client(person, ONCE) as client:
                session = UUID(chance.choice(others).session)
                person.foreign += len([turn async for turn in client.turns(session)])

    async def _fill_library(self) -> None:
        """Imports a small document every few seconds."""
        async with SaegimClient(self._stack.url, self._library.key, user="librarian") as client:
            while not self._over.is_set():
                with contextlib.suppress(ClientError, TimeoutError):
                    word = f"문서표지{len(self._library.sent):05d}"
                    ingest = await client.open_ingest()
                    text = f"# {word}\n\n{word}의 설명입니다. " + "절차가 이어집니다. " * 40
                    await client.send_file(ingest.ingest_id, f"{word}.md", text.encode())
                    self._library.sent.append(word)
                    self._library.ingests.append(ingest.ingest_id)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), 3.0)


def count_foreign(texts: Sequence[str], mark: str, people: Sequence[Person]) -> int:
    """Counts texts with the mark of somebody else."""
    others = {person.mark for person in people} - {mark}
    return sum(any(other in text for other in others) for text in texts)


async def count_notes(stack: LiveStack, person: Person) -> tuple[int, int]:
    """Counts acknowledged notes that are missing, and notes that exist twice."""
    async with SaegimClient(stack.url, person.key, user=person.user) as client:
        there = Counter([memory.content async for memory in client.memories.browse()])
    missing = sum(content not in there for content in person.noted)
    doubled = sum(max(0, there[content] - 1) for content in (*person.noted, *person.unsure))
    return missing, doubled


async def searches(
    stack: LiveStack, key: str, queries: Sequence[str]
) -> AsyncIterator[list[tuple[str, float]]]:
    """Returns the keyword results of each query: passages in order, with their scores."""
    async with SaegimClient(stack.url, key, user="reader") as client:
        for query in queries:
            found = await find(client, query)
            lexical = [(str(one.passage_id), one.lexical) for one in found if one.lexical]
            yield sorted(
                ((passage, round(score, 4)) for passage, score in lexical),
                key=lambda pair: (-pair[1], pair[0]),
            )


async def find(client: SaegimClient, query: str) -> list[FoundPassage]:
    """Searches again while a part that a search needs does not respond in time."""
    end = time.monotonic() + DEGRADED_SECONDS
    while True:
        results = await client.search(query)
        if not results.degraded or time.monotonic() >= end:
            return results.found
        await asyncio.sleep(0.2)


async def come_in(
    stack: LiveStack, key: str, documents: Sequence[tuple[str, str]], seconds: float = 120
) -> None:
    """Imports documents by name, and waits until searches find them."""
    async with SaegimClient(stack.url, key, user="librarian") as client:
        ingest = await client.open_ingest()
        for name, text in documents:
            await client.send_file(ingest.ingest_id, f"{name}.md", text.encode())
        async with asyncio.timeout(seconds):
            await until(lambda: _over(client, ingest.ingest_id))
            for name, _ in documents:
                await until(partial(_finds, client, name))


def count_turns(people: Sequence[Person]) -> int:
    """Counts acknowledged turns."""
    return sum(len(person.turns) for person in people)


async def told(people: Sequence[Person], turns: int) -> None:
    """Waits until so many turns are acknowledged."""

    async def enough() -> bool:
        return count_turns(people) >= turns

    async with asyncio.timeout(300):
        await until(enough)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Polls several times a second."""
    while True:
        if await holds():
            return
        await asyncio.sleep(0.2)


async def _over(client: SaegimClient, ingest: UUID) -> bool:
    return (await client.ingest(ingest)).over


async def _finds(client: SaegimClient, name: str) -> bool:
    found = await find(client, name)
    return any(one.document.document_id == f"{name}.md" for one in found)

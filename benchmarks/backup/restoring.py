"""A backup while people talk, restored into an empty stack: the same questions find the same."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import psycopg

from benchmarks.chaos.load import Library, Load, Person, come_in, until
from benchmarks.stack import LiveStack, Places
from saegim.client.client import SaegimClient

SIZE = b"select pg_database_size('saegim')"
GIGABYTE = 1_000_000_000
TOP = 10


@dataclass(frozen=True, slots=True)
class Run:
    """How much is asked before and after."""

    questions: int = 500
    people: int = 5
    notes: int = 40
    turns: int = 10
    documents: int = 100
    talking: float = 5.0
    seed: int = 20_261_115


@dataclass
class Answers:
    """What each question found, as ids in order."""

    recalls: list[list[str]] = field(default_factory=list[list[str]])
    lexical: list[list[str]] = field(default_factory=list[list[str]])
    dense: list[list[str]] = field(default_factory=list[list[str]])


SUBJECTS = ("고양이", "자전거", "커피", "등산", "피아노", "수영", "사진", "여행", "독서", "요리")


def note(person: int, number: int) -> str:
    subject = SUBJECTS[(person + number) % len(SUBJECTS)]
    return f"{subject}에 대한 {number}번 기록: {person}번 사람은 {number * 37 % 100}점을 주었다."


def document(number: int) -> tuple[str, str]:
    subject = SUBJECTS[number % len(SUBJECTS)]
    name = f"안내{number:03d}"
    text = f"# {name}\n\n{subject} 안내 {number}번입니다. 준비물은 {number % 9}가지이며 "
    return name, text + f"{subject} 모임은 {number % 12 + 1}월에 열립니다. 신청은 {name}로 합니다."


async def furnish(stack: LiveStack, key: str, run: Run) -> None:
    """People who told and noted things, and a library; nobody changes these any more."""
    await come_in(stack, key, [document(number) for number in range(run.documents)])
    for person in range(run.people):
        async with SaegimClient(stack.url, key, user=f"p{person}", session="s") as client:
            for number in range(run.notes):
                await client.memories.add(note(person, number))
            for number in range(run.turns):
                await client.chat(f"{note(person, number + 500)} 어떻게 생각해?")
    await stack.settle(120)


async def ask(stack: LiveStack, key: str, run: Run) -> Answers:
    """Half recalls of the people, half searches in the library."""
    answers = Answers()
    for number in range(run.questions // 2):
        person, subject = number % run.people, SUBJECTS[number % len(SUBJECTS)]
        async with SaegimClient(stack.url, key, user=f"p{person}") as client:
            asked = f"{subject} {number % 50}번 기록은 몇 점이었지?"
            found = await client.memories.recall(asked)
            each = (*found.pinned, *found.records, *found.episodes)
            answers.recalls.append([str(one.id) for one in each])
            searched = (await client.search(f"{subject} 모임 {number % 12 + 1}월 신청")).found
            answers.lexical.append(
                [str(one.passage_id) for one in searched if one.lexical is not None]
            )
            near = sorted(searched, key=lambda one: (-(one.dense or 0), str(one.passage_id)))
            answers.dense.append([str(one.passage_id) for one in near][:TOP])
    return answers


def overlap(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> float:
    """Which share of what was found before is found again, on average."""
    shares = [
        len(set(was) & set(now)) / len(was) for was, now in zip(before, after, strict=True) if was
    ]
    return sum(shares) / len(shares) if shares else 1.0


async def command(stack: LiveStack, *arguments: str) -> float:
    """Runs an operator's command; the seconds it took."""
    began = time.monotonic()
    process = await stack.command(*arguments)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(output.decode())
    return time.monotonic() - began


async def verify(run: Run) -> dict[str, float]:
    """One run with two stacks; the figures."""
    with TemporaryDirectory(prefix="saegim-backup-") as name:
        folder = Path(name)
        file = folder / "backup.zip"
        async with LiveStack.start(folder / "first", workers=1) as first:
            key = await first.new_tenant("asked")
            await furnish(first, key, run)
            before = await ask(first, key, run)
            people, seconds = await _back_up_under_load(first, file, run)
            gigabytes = await asyncio.to_thread(first.count, SIZE) / GIGABYTE
            shared = ("SAEGIM_KEYRING_URL", "SAEGIM_MASTER_KEY")
            more = {name: first.environment[name] for name in shared}
            async with LiveStack.start(
                folder / "second", workers=1, places=Places(more=more)
            ) as second:
                restored = await command(second, "restore", str(file))
                await _found(second, key)
                after = await ask(second, key, run)
                missing = await _missing(second, people)
    changed = [
        sum(was != now for was, now in zip(old, new, strict=True))
        for old, new in ((before.recalls, after.recalls), (before.lexical, after.lexical))
    ]
    return {
        "questions": float(len(before.recalls) + len(before.lexical)),
        "changed_recalls": float(changed[0]),
        "changed_searches": float(changed[1]),
        "vector_overlap": round(overlap(before.dense, after.dense), 4),
        "turns_before_backup": float(sum(len(turns) for _, turns in people)),
        "missing_turns": float(missing),
        "megabytes": round(gigabytes * 1_000, 1),
        "backup_seconds": round(seconds, 1),
        "restore_seconds": round(restored, 1),
        "backup_seconds_per_gb": round(seconds / gigabytes, 1),
        "restore_seconds_per_gb": round(restored / gigabytes, 1),
    }


async def _back_up_under_load(
    stack: LiveStack, file: Path, run: Run
) -> tuple[list[tuple[Person, list[str]]], float]:
    """A backup while people of another tenant talk; what they were told before it began."""
    key = await stack.new_tenant("talking")
    people = [Person(f"user-{n}", key, mark=f"표지{n:03d}끝") for n in range(4)]
    load = Load(stack, people, Library(key))
    loading = asyncio.create_task(load.run(run.seed))
    await asyncio.sleep(run.talking)
    told = [(person, list(person.turns)) for person in people]
    seconds = await command(stack, "backup", str(file))
    load.end()
    await loading
    return told, seconds


async def _found(stack: LiveStack, key: str) -> None:
    """Waits for the search index, which is made anew."""

    async def finds() -> bool:
        async with SaegimClient(stack.url, key, user="p0") as client:
            searched = await client.search("안내000")
            return bool(searched.found) and not searched.degraded

    async with asyncio.timeout(120):
        await until(finds)
    await stack.settle(60)


async def _missing(stack: LiveStack, told: Sequence[tuple[Person, list[str]]]) -> int:
    missing = 0
    for person, turns in told:
        if turns:
            async with SaegimClient(stack.url, person.key, user=person.user) as client:
                stored = {str(turn.turn_id) async for turn in client.turns(UUID(person.session))}
            missing += len(set(turns) - stored)
    return missing


def clean(figures: dict[str, float]) -> bool:
    nothing = "changed_recalls changed_searches missing_turns"
    return not any(figures[name] for name in nothing.split()) and figures["vector_overlap"] >= 0.99


def rows_in(url: str, query: bytes) -> int:
    """What a query that counts says, by an owner's URL."""
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else 0

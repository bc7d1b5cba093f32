"""Back up under load, restore into an empty stack, and compare the results of questions."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import psycopg

from benchmarks.backup.asking import SUBJECTS, ask, changed, overlap
from benchmarks.chaos.load import Library, Load, Person, come_in, told, until
from benchmarks.move import furnish as plant
from benchmarks.stack import LiveStack, Places
from saegim.client.client import SaegimClient

SIZE = b"select pg_database_size('saegim')"
TEND = b"""
update procrastinate_jobs set scheduled_at = now()
where status = 'todo' and task_name = 'maintain_index'
"""
GIGABYTE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Run:
    """How much is asked before and after."""

    questions: int = 500
    people: int = 5
    notes: int = 40
    turns: int = 10
    documents: int = 100
    told: int = 40
    history: int = 20_000
    seed: int = 20_261_115


def note(person: int, number: int) -> str:
    subject = SUBJECTS[(person + number) % len(SUBJECTS)]
    return f"{subject}에 대한 {number}번 기록: {person}번 사람은 {number * 37 % 100}점을 주었다."


def document(number: int) -> tuple[str, str]:
    subject = SUBJECTS[number % len(SUBJECTS)]
    name = f"안내{number:03d}"
    text = f"# {name}\n\n{subject} 안내 {number}번입니다. 준비물은 {number % 9}가지이며 "
    return name, text + f"{subject} 모임은 {number % 12 + 1}월에 열립니다. 신청은 {name}로 합니다."


async def furnish(stack: LiveStack, key: str, run: Run) -> None:
    """Creates users with memories, and a library, which nobody changes afterwards."""
    await come_in(stack, key, [document(number) for number in range(run.documents)])
    for person in range(run.people):
        async with SaegimClient(stack.url, key, user=f"p{person}", session="s") as client:
            for number in range(run.notes):
                await client.memories.add(note(person, number))
            for number in range(run.turns):
                await client.chat(f"{note(person, number + 500)} 어떻게 생각해?")
    # Term weights depend on what is indexed, and new passages wait for the next maintenance,
    # which a rebuilt index does not need.
    await asyncio.to_thread(stack.change, TEND)
    await rested(stack)


async def rested(stack: LiveStack) -> None:
    """Waits until no turn or job is running."""
    if not await stack.settle(600):
        raise TimeoutError("jobs are still running")


async def command(stack: LiveStack, *arguments: str) -> float:
    """Runs an operator's command; returns the seconds."""
    began = time.monotonic()
    process = await stack.command(*arguments)
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(output.decode())
    return time.monotonic() - began


async def verify(run: Run) -> dict[str, float]:
    """Runs once with two stacks and returns the figures."""
    with TemporaryDirectory(prefix="saegim-backup-") as name:
        folder = Path(name)
        file = folder / "all.backup"
        async with LiveStack.start(folder / "first", workers=1) as first:
            key = await first.new_tenant("asked")
            await furnish(first, key, run)
            if run.history:
                key_of_many = await first.new_tenant("with a history")
                await plant(first, key_of_many, run.history, run.history // 5)
            before = await ask(first, key, run.questions, run.people)
            people, seconds = await _back_up_under_load(first, file, run)
            gigabytes = await asyncio.to_thread(first.count, SIZE) / GIGABYTE
            shared = ("SAEGIM_KEYRING_URL", "SAEGIM_MASTER_KEY")
            more = {name: first.environment[name] for name in shared}
            async with LiveStack.start(
                folder / "second", workers=1, places=Places(more=more)
            ) as second:
                restored = await command(second, "restore", str(file))
                await _found(second, key)
                after = await ask(second, key, run.questions, run.people)
                missing = await _missing(second, people)
    return {
        "questions": float(len(before.recalls) + len(before.lexical)),
        "changed_recalls": changed(before.recalls, after.recalls),
        "changed_searches": changed(before.searches, after.searches),
        "changed_lexical": changed(before.lexical, after.lexical),
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
    """Backs up while users of another tenant chat; returns the turns acknowledged before."""
    key = await stack.new_tenant("talking")
    people = [Person(f"user-{n}", key, mark=f"표지{n:03d}끝") for n in range(4)]
    load = Load(stack, people, Library(key))
    loading = asyncio.create_task(load.run(run.seed))
    await told(people, run.told)
    before = [(person, list(person.turns)) for person in people]
    seconds = await command(stack, "backup", str(file))
    load.end()
    await loading
    return before, seconds


async def _found(stack: LiveStack, key: str) -> None:
    """Waits for the search index to be rebuilt."""

    async def finds() -> bool:
        async with SaegimClient(stack.url, key, user="p0") as client:
            searched = await client.search("안내000")
            return bool(searched.found) and not searched.degraded

    async with asyncio.timeout(600):
        await until(finds)
    await rested(stack)


async def _missing(stack: LiveStack, before: Sequence[tuple[Person, list[str]]]) -> int:
    missing = 0
    for person, turns in before:
        if turns:
            async with SaegimClient(stack.url, person.key, user=person.user) as client:
                stored = {str(turn.turn_id) async for turn in client.turns(UUID(person.session))}
            missing += len(set(turns) - stored)
    return missing


def clean(figures: dict[str, float]) -> bool:
    nothing = "changed_recalls changed_searches changed_lexical missing_turns"
    return not any(figures[name] for name in nothing.split()) and figures["vector_overlap"] >= 0.99


def rows_in(url: str, query: bytes) -> int:
    """Returns the result of a counting query with the owner's URL."""
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else 0

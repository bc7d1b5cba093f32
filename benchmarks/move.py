"""Move a large tenant to another cell under load, and kill the command half way.

The tenant gets 50,000 turns with their episodes and 10,000 memories. Clients chat and add notes
through the API; `saegim tenant move` is killed with SIGKILL during the copy and started again. At
the end everything acknowledged must exist once, in the new cell, and other tenants must not be
affected. `make verify-move` runs it at full size; a test runs a small one.
"""

import argparse
import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import psycopg

from benchmarks import results
from benchmarks.chaos.load import Library, Load, Person, count_notes
from benchmarks.durable import judge
from benchmarks.stack import LiveStack, Places
from saegim.auth.types import parse_key
from saegim.client.client import SaegimClient
from saegim.db.migrate import ensure_database, migrate
from saegim.localservers.postgres import LocalPostgres

LONGEST_PAUSE = 5.0
# Copies of one row with new ids; their encrypted content is never read.
MANY_TURNS = """
insert into saegim.turn
select (jsonb_populate_record(t, jsonb_build_object(
    'turn_id', gen_random_uuid(), 'number', 1000000 + n, 'idempotency_hash', null
))).*
from saegim.turn t, generate_series(1, %(count)s) n
where t.tenant_id = %(tenant)s and t.turn_id = (
    select turn_id from saegim.turn where tenant_id = %(tenant)s and state = 'done' limit 1
)
"""
MANY_EPISODES = """
with made as (
    insert into saegim.episode
    select (jsonb_populate_record(e, jsonb_build_object(
        'episode_id', gen_random_uuid(), 'first_turn', 1000000 + n, 'last_turn', 1000000 + n
    ))).*
    from saegim.episode e, generate_series(1, %(count)s) n
    where e.tenant_id = %(tenant)s and e.episode_id = (
        select episode_id from saegim.episode where tenant_id = %(tenant)s limit 1
    )
    returning episode_id
)
insert into saegim.episode_vector
select (jsonb_populate_record(v, jsonb_build_object('episode_id', made.episode_id))).*
from made, saegim.episode_vector v
where v.tenant_id = %(tenant)s and v.episode_id = (
    select episode_id from saegim.episode_vector where tenant_id = %(tenant)s limit 1
)
"""
MANY_MEMORIES = """
with made as (
    insert into saegim.memory
    select (jsonb_populate_record(m, jsonb_build_object(
        'memory_id', gen_random_uuid(),
        'natural_hash', '\\x' || encode(sha256(n::text::bytea), 'hex')
    ))).*
    from saegim.memory m, generate_series(1, %(count)s) n
    where m.tenant_id = %(tenant)s and m.memory_id = (
        select memory_id from saegim.memory where tenant_id = %(tenant)s limit 1
    )
    returning memory_id
)
insert into saegim.memory_vector
select (jsonb_populate_record(v, jsonb_build_object('memory_id', made.memory_id))).*
from made, saegim.memory_vector v
where v.tenant_id = %(tenant)s and v.memory_id = (
    select memory_id from saegim.memory_vector where tenant_id = %(tenant)s limit 1
)
"""
COUNTS = {
    "turns": b"select count(*) from saegim.turn where tenant_id = %s",
    "memories": b"select count(*) from saegim.memory where tenant_id = %s",
    "copied": b"select cardinality(copied) from saegim.tenant_move where tenant_id = %s",
    "vectors": b"select count(*) from saegim.episode_vector where tenant_id = %s",
}


@dataclass(frozen=True, slots=True)
class Run:
    """How much is moved, and how many clients chat."""

    turns: int = 50_000
    memories: int = 10_000
    people: int = 6
    seed: int = 20_261_115


@dataclass(frozen=True, slots=True)
class Town:
    """A stack with two cells; the tenant that moves and one that stays."""

    stack: LiveStack
    other: LocalPostgres
    moving: str
    staying: str

    @property
    def tenant(self) -> UUID:
        return tenant_of(self.moving)

    def count(self, name: str, cell: LocalPostgres) -> int:
        with psycopg.connect(cell.url("saegim")) as connection:
            row = connection.execute(COUNTS[name], (self.tenant,)).fetchone()
        return row[0] if row else 0


def tenant_of(key: str) -> UUID:
    """Returns the tenant of a key."""
    parts = parse_key(key)
    assert parts is not None, "a key that was just made"
    return parts.tenant


@contextlib.asynccontextmanager
async def town(folder: Path) -> AsyncGenerator[Town]:
    """Starts both cells with a worker each, and one API."""
    with LocalPostgres.start(folder / "b") as other:
        ensure_database(other.url(), "saegim")
        app = other.url("saegim", user="saegim_app")
        migrate(other.url("saegim"), app)
        cells = {"b": {"postgres_url": app, "postgres_admin_url": other.url("saegim")}}
        places = Places(more={"SAEGIM_CELLS": json.dumps(cells)})
        async with LiveStack.start(folder, workers=1, places=places) as stack:
            stack.spawn("worker-b", "--cell", "b")
            moving, staying = [await stack.new_tenant(name) for name in ("moving", "staying")]
            yield Town(stack, other, moving, staying)


async def furnish(stack: LiveStack, key: str, turns: int, memories: int) -> None:
    """Creates one real turn, episode and memory of a tenant, and copies of each."""
    async with SaegimClient(stack.url, key, user="founder", session="s") as client:
        await client.chat("처음 하는 말입니다. 값은 42입니다.")
        await client.memories.add("처음 적은 메모입니다.")
    await stack.settle(60)
    counted = {"tenant": tenant_of(key), "count": turns}
    with psycopg.connect(stack.postgres.url("saegim"), autocommit=True) as connection:
        connection.execute(MANY_TURNS.encode(), counted)
        connection.execute(MANY_EPISODES.encode(), counted)
        connection.execute(MANY_MEMORIES.encode(), counted | {"count": memories})
        connection.execute(b"analyze")


async def move_with_a_kill(there: Town) -> tuple[dict[str, float], int]:
    """Runs the command, kills it during the copy and starts it again; returns its report and its
    progress."""
    arguments = ("tenant", "move", str(there.tenant), "--to", "b", "--json")
    killed = await there.stack.command(*arguments)
    source = there.stack.postgres
    while (done := await asyncio.to_thread(there.count, "copied", source)) < 12:
        if killed.returncode is not None:
            break
        await asyncio.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        killed.kill()
    await killed.wait()
    again = await there.stack.command(*arguments)
    output, _ = await again.communicate()
    if again.returncode:
        raise RuntimeError(output.decode())
    return json.loads(output), done


async def verify(run: Run) -> dict[str, float]:
    """Runs once in its own folder and returns the figures."""
    with TemporaryDirectory(prefix="saegim-move-") as folder:
        async with town(Path(folder)) as there:
            await furnish(there.stack, there.moving, run.turns, run.memories)
            return await _verify(run, there)


async def _verify(run: Run, there: Town) -> dict[str, float]:
    people = [Person(f"user-{n}", there.moving, mark=f"표지{n:03d}끝") for n in range(run.people)]
    others = [Person(f"user-{n}", there.staying, mark=f"남음{n:03d}끝") for n in range(2)]
    load = Load(there.stack, [*people, *others], Library(there.moving))
    loading = asyncio.create_task(load.run(run.seed))
    await asyncio.sleep(3)
    began = time.monotonic()
    report, tables_before_kill = await move_with_a_kill(there)
    seconds = time.monotonic() - began
    await asyncio.sleep(3)
    load.end()
    await loading
    await there.stack.settle(30)
    await asyncio.sleep(3)
    verdict = await judge_where_they_live(there, people, others)
    confirmed = await there.stack.command(
        "tenant", "move", str(there.tenant), "--confirm", "--json"
    )
    await confirmed.communicate()
    source, target = there.stack.postgres, there.other
    return {
        **verdict,
        "seconds": round(seconds, 1),
        "paused_seconds": round(report["paused_seconds"], 2),
        "rows": float(report["rows"]),
        "tables_before_kill": float(tables_before_kill),
        "turns": float(there.count("turns", target)),
        "memories": float(there.count("memories", target)),
        "vectors": float(there.count("vectors", target)),
        "left_behind": float(there.count("turns", source) + there.count("memories", source)),
        "longest_wait": round(max(person.longest_wait for person in people), 2),
        "longest_wait_of_others": round(max(person.longest_wait for person in others), 2),
    }


async def judge_where_they_live(
    there: Town, people: list[Person], others: list[Person]
) -> dict[str, float]:
    """Returns what was acknowledged but is missing or duplicated."""
    moved = await judge(there.stack, people, there.other)
    stayed = await judge(there.stack, others)
    notes = [await count_notes(there.stack, person) for person in (*people, *others)]
    foreign = sum(person.foreign for person in (*people, *others))
    return {
        "acknowledged": float(sum(len(person.turns) for person in (*people, *others))),
        "lost_writes": float(moved.lost + stayed.lost + sum(missing for missing, _ in notes)),
        "duplicates": float(moved.doubled + stayed.doubled + sum(twice for _, twice in notes)),
        "changed": float(moved.changed + stayed.changed + moved.out_of_order + stayed.out_of_order),
        "episodes_missing": float(moved.episodes_missing + stayed.episodes_missing),
        "cross_tenant_reads": float(foreign),
    }


def clean(figures: dict[str, float]) -> bool:
    nothing = "lost_writes duplicates changed episodes_missing cross_tenant_reads left_behind"
    return not any(figures[name] for name in nothing.split()) and (
        figures["paused_seconds"] < LONGEST_PAUSE
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    usual = Run()
    for name in ("turns", "memories", "people", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(usual, name))
    asked = vars(parser.parse_args())
    figures = asyncio.run(verify(Run(**asked)))
    for name, value in figures.items():
        print(f"{name:24} {value:g}")
    print(results.write("move", figures, asked))
    return 0 if clean(figures) else 1


if __name__ == "__main__":
    sys.exit(main())

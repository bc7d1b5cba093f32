"""Verify the profile `low`: everything within 2 GB of memory and 5 GB of disk.

Postgres, Valkey, the API and a worker run with a remote model. 5,000 passages are imported, then
one conversation of 100 turns uses them. The memory of all processes is sampled ten times a second
(PSS). `make verify-small-machine` writes the figures.
"""

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.load import model
from benchmarks.load.__main__ import bring_in
from benchmarks.load.driving import caught_up
from benchmarks.load.people import talkers
from benchmarks.page import everything, publish
from benchmarks.processes import disk_bytes, watched
from benchmarks.stack import LiveStack

GIGABYTE = 1_000_000_000
MOST_MEMORY, MOST_DISK = 2.0, 5.0
# Time is not measured, so wait long on a busy machine.
PATIENCE = 900
REMEMBERED = b"select (select count(*) from saegim.memory) + (select count(*) from saegim.episode)"


@dataclass(frozen=True)
class Run:
    """Number of turns and chapters; a chapter has 40 passages."""

    turns: int = 100
    chapters: int = 125


async def verify(run: Run, folder: Path) -> dict[str, float]:
    """Runs once in a folder and returns the figures."""
    with model.running(seconds=0.1) as url:
        async with LiveStack.start(folder, url, 1, {"SAEGIM_RESOURCE_PRESET": "low"}) as stack:
            roots = {name: process.pid for name, process in stack.processes.items()}
            roots |= {"postgres": stack.postgres.pid, "valkey": stack.valkey.pid}
            async with watched(roots) as peak:
                key = await stack.new_tenant("low")
                await bring_in(stack, key, run.chapters)
                answered, folded = await _talk(stack, key, run.turns)
                await caught_up(stack, PATIENCE)
            print({name: f"{size / 1e6:.0f} MB" for name, size in peak.last.items()})
            return {
                "memory_gb": peak.most / GIGABYTE,
                "disk_gb": disk_bytes(folder) / GIGABYTE,
                "installed_gb": results.known("install").get("installed_mb", 0.0) / 1000,
                "looks": float(peak.looks),
                "turns_answered": float(answered),
                "folded_through": float(folded),
                "passages": float(stack.count(b"select count(*) from saegim.passage")),
                "remembered": float(stack.count(REMEMBERED)),
                **{f"memory_mb.{name}": size / 1e6 for name, size in sorted(peak.last.items())},
            }


async def _talk(stack: LiveStack, key: str, turns: int) -> tuple[int, int]:
    """Returns how many turns were answered, and how many of them are summarised in the end."""
    [who] = talkers(1, seed=11)
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": who.name, "Saegim-Session": "one"}
    answered, session = 0, ""
    async with httpx2.AsyncClient(base_url=stack.url, timeout=120, headers=headers) as http:
        for _ in range(turns):
            reply = await http.post("/v1/chat", json={"message": who.next()})
            answered += reply.status_code == 200 and reply.json()["state"] == "done"
            session = reply.json()["session_id"]
        await caught_up(stack, PATIENCE)
        context = (await http.get(f"/v1/sessions/{session}/context")).json()
    return answered, context["summarised_through"]


def fine(figures: dict[str, float], run: Run) -> bool:
    """Whether every figure is within its limit."""
    return (
        figures["memory_gb"] <= MOST_MEMORY
        and figures["disk_gb"] + figures["installed_gb"] <= MOST_DISK
        and figures["turns_answered"] == run.turns
        and figures["folded_through"] >= run.turns - 6
        and figures["passages"] >= 40 * run.chapters
        and not figures["remembered"]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(Run()).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    run = Run(**vars(parser.parse_args()))
    with TemporaryDirectory(prefix="saegim-low-") as folder:
        figures = asyncio.run(verify(run, Path(folder)))
    for name, value in figures.items():
        print(f"{name:22} {value:g}")
    print(results.write("low", figures, vars(run)))
    publish("low", everything(figures), results.ROOT / "docs/how-to/deploy.md")
    return 0 if fine(figures, run) else 1


if __name__ == "__main__":
    sys.exit(main())

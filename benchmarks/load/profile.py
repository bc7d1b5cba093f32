"""Profile the processor time of a turn, by process and by thread of the API.

It counts processor time, so that other load changes little. Run it before and after a change;
`--record` records a process with py-spy, if it is installed.
"""

import argparse
import asyncio
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx2

from benchmarks.load import model
from benchmarks.load.__main__ import bring_in
from benchmarks.load.driving import Driver, Level, Said, caught_up
from benchmarks.load.people import Talker, talkers
from benchmarks.processes import PROC
from benchmarks.stack import LiveStack, hosted, usual

PEOPLE = 10
WARM_UP = 60
MODEL_SECONDS = 0.02
COMMITS = b"select xact_commit from pg_stat_database where datname = 'saegim'"
NANOSECONDS_A_MS = 1_000_000


def thread_ms(pid: int) -> Counter[str]:
    """Returns milliseconds of processor time by name of the thread."""
    spent: Counter[str] = Counter()
    for task in (PROC / str(pid) / "task").iterdir():
        name = (task / "comm").read_text().strip().rstrip("0123456789-_")
        main = task.name == str(pid)
        ran = int((task / "schedstat").read_text().split()[0])
        spent["main thread" if main else name] += ran // NANOSECONDS_A_MS
    return spent


@contextmanager
def recorded(pid: int, to: Path | None) -> Iterator[None]:
    """Records with py-spy."""
    if to is None:
        yield
        return
    command = shutil.which("py-spy") or "py-spy"
    spy = subprocess.Popen(
        [command, "record", "-p", str(pid), "-r", "100", "-t", "-f", "raw", "--gil", "-o", str(to)]
    )
    try:
        yield
    finally:
        spy.send_signal(signal.SIGINT)
        spy.wait()


async def profile(turns: int, folder: Path, record: Path | None, process: str) -> None:
    """Prints the processor time of turns."""
    with model.running(MODEL_SECONDS) as url:
        async with (
            LiveStack.start(folder, url, 1, usual() | hosted()) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=60) as http,
        ):
            key = await stack.new_tenant("profile")
            await bring_in(stack, key, 25)
            driver = Driver(stack, http, key, "")
            people = talkers(PEOPLE, seed=4)
            await _talk(driver, people, WARM_UP)
            await caught_up(stack, 120)
            with recorded(stack.processes[process].pid, record):
                await _measure(stack, driver, people, turns)


async def _measure(stack: LiveStack, driver: Driver, people: list[Talker], turns: int) -> None:
    api = stack.processes["api"].pid
    worker = stack.processes["worker-0"].pid
    threads, parts, commits = thread_ms(api), driver.cpu(), stack.count(COMMITS)
    of_worker = thread_ms(worker)
    heard = await _talk(driver, people, turns)
    threads = thread_ms(api) - threads
    await caught_up(stack, 120)
    commits = stack.count(COMMITS) - commits
    every = {name: (took - parts[name]) * 1000 / turns for name, took in driver.cpu().items()}
    print(f"core ms per turn: {_told(every)}; {commits / turns:.1f} transactions")
    of_worker = thread_ms(worker) - of_worker
    print(f"of the worker: {_told({name: ms / turns for name, ms in of_worker.most_common()})}")
    print(f"of the API: {_told({name: ms / turns for name, ms in threads.most_common()})}")
    level, outcomes = Level(0, 0), Counter[str]()
    for name, said in heard:
        trace = await driver.trace(name, said.turn)
        level.said.append(replace(said, calls=sum(c["source"] == "model" for c in trace["calls"])))
        level.note(trace)
        outcomes[f"{trace['answer']['outcome']} by {trace['answer']['choice']}"] += 1
    print(f"answers: {dict(outcomes)}")
    print(
        f"own ms: p50 {level.own_ms(50, MODEL_SECONDS):.0f}, by stage: "
        f"{_told({name: median(took) for name, took in level.stages.items()})}"
    )


async def _talk(driver: Driver, people: list[Talker], turns: int) -> list[tuple[str, Said]]:
    """Sends one message after another, of each user in turn."""
    heard: list[tuple[str, Said]] = []
    for number in range(turns):
        who = people[number % len(people)]
        heard.append((who.name, await driver.say(who.name, who.next(), who.session)))
    return heard


def _told(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in values.items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--record", type=Path, help="file for raw stacks of py-spy")
    parser.add_argument("--process", default="api", choices=["api", "worker-0"])
    given = parser.parse_args()
    with TemporaryDirectory(prefix="saegim-profile-") as place:
        asyncio.run(profile(given.turns, Path(place), given.record, given.process))

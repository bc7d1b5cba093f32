"""How soon `/health/live` answers while chats stream and documents come in.

A real API and real workers, over HTTP. So many clients ask and read their answers word by word, a
client sends documents, and a process of its own asks `/health/live` over and over: what holds up
the event loop of the API shows there. `make verify-responsive` runs it at full size; a test runs a
small one.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks import clients, results
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack
from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError
from saegim.client.events import Token
from saegim.testing.providers import BrokenProvider, ProviderMode

CEILING_MS = 200.0
FILE_BYTES = 1 << 20
WORD_SECONDS = 0.05
ANSWER = "예약 인스턴스를 쓰면 비용이 줄어듭니다. " * 40
ASKED = ("비용 알림은 어떻게 켜나요?", "예산 정책을 바꾸는 방법은?", "로그 저장 요금은 얼마인가요?")
WORDS = ("비용", "예산", "알림", "계정", "권한", "보고", "태그", "정책", "요금", "서버", "로그")
PASSAGES = b"select count(*) from saegim.passage"


@dataclass(frozen=True)
class Run:
    """How much goes on at once, and for how long it is looked at."""

    streams: int = 50
    megabytes: int = 100
    seconds: int = 60


@dataclass
class Load:
    """What the clients have done so far."""

    speaking: set[int] = field(default_factory=set[int])
    tokens: int = 0
    answers: int = 0
    failures: int = 0
    sent_bytes: int = 0
    under_way: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once everybody reads an answer and the first file is there."""


class Responsive:
    def __init__(self, run: Run, stack: LiveStack, key: str) -> None:
        self._run = run
        self._stack = stack
        self._key = key
        self.load = Load()

    async def measure(self) -> dict[str, float]:
        """Milliseconds of each probe, once everybody reads an answer and documents come in."""
        async with self._busy():
            await asyncio.wait_for(self.load.under_way.wait(), 120)
            before = self.load.tokens
            took = await self._probe()
            spoken = self.load.tokens - before
        passages = await asyncio.to_thread(
            self._stack.count, b"select count(*) from saegim.passage"
        )
        return {
            "health_live.p50_ms": _at(took, 50),
            "health_live.p99_ms": _at(took, 99),
            "health_live.max_ms": max(took),
            "health_live.probes": float(len(took)),
            "streams": float(len(self.load.speaking)),
            "stream.tokens_per_s": spoken / self._run.seconds,
            "stream.answers": float(self.load.answers),
            "stream.failures": float(self.load.failures),
            "ingest.megabytes": self.load.sent_bytes / (1 << 20),
            "ingest.passages": float(passages),
        }

    @asynccontextmanager
    async def _busy(self) -> AsyncIterator[None]:
        work = [asyncio.create_task(self._talk(n)) for n in range(self._run.streams)]
        work.append(asyncio.create_task(self._bring_in()))
        try:
            yield
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def _talk(self, number: int) -> None:
        """Asks and reads, over and over."""
        chance = random.Random(number)
        user = f"user-{number}"
        async with SaegimClient(self._stack.url, self._key, user=user, session="s") as client:
            while True:
                await asyncio.sleep(chance.random())
                try:
                    async for event in client.stream(chance.choice(ASKED)):
                        if isinstance(event, Token):
                            self.load.speaking.add(number)
                            self.load.tokens += 1
                            self._look()
                    self.load.answers += 1
                except ClientError:
                    self.load.failures += 1

    async def _bring_in(self) -> None:
        chance = random.Random(7)
        async with SaegimClient(self._stack.url, self._key, user="editor") as client:
            opened = await client.open_ingest()
            for number in range(self._run.megabytes):
                content = await asyncio.to_thread(_file, chance)
                await client.send_file(opened.ingest_id, f"bill-{number}.md", content)
                self.load.sent_bytes += len(content)
                self._look()

    def _look(self) -> None:
        if len(self.load.speaking) == self._run.streams and self.load.sent_bytes:
            self.load.under_way.set()

    async def _probe(self) -> list[float]:
        """From a process of its own: this one is busy with fifty readers."""
        probe = await clients.start("health", self._stack.url, "", seconds=self._run.seconds)
        return (await clients.told(probe))["took_ms"]


def _file(chance: random.Random) -> bytes:
    """A megabyte of sections, no two alike."""
    parts: list[str] = ["# 비용 안내\n"]
    size = 0
    while size < FILE_BYTES:
        text = " ".join(chance.choices(WORDS, k=80))
        parts.append(f"\n## 절 {chance.randrange(10**9)}\n\n{text}입니다.\n")
        size += len(parts[-1].encode())
    return "".join(parts).encode()


def _at(values: Sequence[float], percent: int) -> float:
    return quantiles(sorted(values), n=100, method="inclusive")[percent - 1]


async def verify(run: Run) -> dict[str, float]:
    """One run in a folder of its own; the figures."""
    with TemporaryDirectory(prefix="saegim-responsive-") as folder:
        async with (
            BrokenProvider(ProviderMode.SLOW, ANSWER, word_seconds=WORD_SECONDS) as model,
            LiveStack.start(Path(folder), model_url=model.base_url) as stack,
        ):
            return await Responsive(run, stack, await stack.new_tenant("tenant")).measure()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(Run()).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    run = Run(given.streams, given.megabytes, given.seconds)
    figures = asyncio.run(verify(run))
    for name, value in figures.items():
        print(f"{name:22} {value:g}")
    print(results.write("responsive", figures, vars(run)))
    publish("responsive", everything(figures))
    return 0 if figures["health_live.p99_ms"] < CEILING_MS else 1


if __name__ == "__main__":
    sys.exit(main())

"""Clients of `benchmarks.responsive`, which read streamed answers and send documents.

They run in their own process, which imports nothing of the server.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError
from saegim.client.events import Token

FILE_BYTES = 1 << 20
ASKED = ("비용 알림은 어떻게 켜나요?", "예산 정책을 바꾸는 방법은?", "로그 저장 요금은 얼마인가요?")
WORDS = ("비용", "예산", "알림", "계정", "권한", "보고", "태그", "정책", "요금", "서버", "로그")
UNDER_WAY = b"under way\n"


@dataclass(frozen=True)
class Run:
    """Concurrent load. It lasts until the documents are sent, and at least so long."""

    streams: int = 50
    megabytes: int = 100
    seconds: int = 60
    patience: int = 0
    """How many more seconds streams have to read something, on a busy machine."""


@dataclass
class Load:
    """The clients, and their progress."""

    run: Run
    url: str
    key: str
    words: Counter[int] = field(default_factory=Counter[int])
    answers: int = 0
    failures: int = 0
    sent_bytes: int = 0
    under_way: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once everybody reads an answer and the first file is there."""

    async def work(self) -> dict[str, Any]:
        """Prints when all clients are active, and returns what they did from then on."""
        talking = [asyncio.create_task(self._talk(n)) for n in range(self.run.streams)]
        sending = asyncio.create_task(self._send_files())
        await asyncio.wait_for(self.under_way.wait(), 180)
        sys.stdout.buffer.write(UNDER_WAY)
        sys.stdout.buffer.flush()
        began, before = time.monotonic(), Counter(self.words)
        await asyncio.gather(sending, asyncio.sleep(self.run.seconds))
        await self._until_all_read(before)
        seconds = time.monotonic() - began
        read = [self.words[n] - before[n] for n in range(self.run.streams)]
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
        return {
            "seconds": seconds,
            "streams": sum(words > 0 for words in read),
            "stream.words_per_s": sum(read) / seconds,
            "stream.answers": self.answers,
            "stream.failures": self.failures,
            "ingest.megabytes": self.sent_bytes / (1 << 20),
        }

    async def _until_all_read(self, before: Counter[int]) -> None:
        """Waits a while for streams that have read nothing yet."""
        end = time.monotonic() + self.run.patience
        while time.monotonic() < end:
            if len(self.words - before) == self.run.streams:
                return
            await asyncio.sleep(0.1)

    async def _talk(self, number: int) -> None:
        """Asks and reads repeatedly."""
        chance = random.Random(number)
        user = f"user-{number}"
        async with SaegimClient(self.url, self.key, user=user, session="s") as client:
            while True:
                await asyncio.sleep(chance.random())
                try:
                    async for event in client.stream(chance.choice(ASKED)):
                        if isinstance(event, Token):
                            self.words[number] += len(event.text.split())
                            self._look()
                    self.answers += 1
                except ClientError:
                    self.failures += 1

    async def _send_files(self) -> None:
        chance = random.Random(7)
        async with SaegimClient(self.url, self.key, user="editor") as client:
            opened = await client.open_ingest()
            for number in range(self.run.megabytes):
                content = await asyncio.to_thread(_file, chance)
                await client.send_file(opened.ingest_id, f"bill-{number}.md", content)
                self.sent_bytes += len(content)
                self._look()

    def _look(self) -> None:
        if len(+self.words) == self.run.streams and self.sent_bytes:
            self.under_way.set()


def _file(chance: random.Random) -> bytes:
    """Returns a megabyte of unique sections."""
    parts: list[str] = ["# 비용 안내\n"]
    size = 0
    while size < FILE_BYTES:
        text = " ".join(chance.choices(WORDS, k=80))
        parts.append(f"\n## 절 {chance.randrange(10**9)}\n\n{text}입니다.\n")
        size += len(parts[-1].encode())
    return "".join(parts).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("key")
    for name, default in vars(Run()).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    run = Run(given.streams, given.megabytes, given.seconds, given.patience)
    print(json.dumps(asyncio.run(Load(run, given.url, given.key).work())))


if __name__ == "__main__":
    main()

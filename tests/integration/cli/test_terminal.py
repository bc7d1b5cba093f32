"""`saegim chat` in a pseudo-terminal, as a person uses it."""

import asyncio
import codecs
import contextlib
import errno
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels, call
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from saegim.memory.types import MemoryType
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Databases, Stack, new_stack, served

pytestmark = [
    pytest.mark.requirement("CH2"),
    pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal of POSIX"),
]

SAEGIM = str(Path(sys.executable).with_name("saegim"))
ANSWER = "예약 인스턴스로 최대 72% 할인을 받습니다 [1]."
CAT = "우리 고양이 이름은 나비야"
LONG = tuple(f"{number}번째 줄입니다. " for number in range(200))
TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


def answers(shown: RecordedRequest) -> Reply:
    asked = shown.messages[-1].text
    if CAT in asked and "remember" in shown.tools:
        return call("remember", statement=CAT, quote=CAT)
    if "emoji" in asked:
        return "여기까지입니다 🎉 — ḿ"
    return Pieces(LONG, 0.05) if "길게" in asked else Pieces(tuple(ANSWER), 0.005)


class Ended(Exception):
    """The program is gone from its terminal."""


@dataclass
class Terminal:
    """A program in its own pseudo-terminal, and its output."""

    process: subprocess.Popen[bytes]
    near: int
    shown: str = ""
    seen: int = 0
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("ignore"), repr=False
    )

    async def type(self, text: str) -> None:
        os.write(self.near, text.encode())

    async def until(self, wanted: str, seconds: float = 60) -> str:
        """Returns the output since the last call up to the wanted text, without escapes."""
        async with asyncio.timeout(seconds):
            while wanted not in self.shown[self.seen :]:
                await self._read()
        found = self.shown.index(wanted, self.seen) + len(wanted)
        part, self.seen = self.shown[self.seen : found], found
        return part

    async def ended(self) -> int:
        async with asyncio.timeout(180):
            while self.process.poll() is None:
                with contextlib.suppress(Ended):
                    await self._read()
        return self.process.returncode

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.near, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    async def _read(self) -> None:
        await asyncio.sleep(0.02)
        try:
            piece = os.read(self.near, 65536)
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno == errno.EIO:
                raise Ended(self.shown) from error
            raise
        self.shown += ESCAPES.sub("", self._decoder.decode(piece))


def started(command: list[str], environment: dict[str, str], far: int) -> subprocess.Popen[bytes]:
    """The command, with the terminal as its own: Ctrl-C reaches it."""
    return subprocess.Popen(
        [sys.executable, "-c", TAKE_TERMINAL, *command],
        env=environment,
        stdin=far,
        stdout=far,
        stderr=far,
        start_new_session=True,
    )


@contextlib.asynccontextmanager
async def chatting(stack: Stack, user: str, **environment: str) -> AsyncIterator[Terminal]:
    async with served(stack.services) as http:
        near, far = pty.openpty()
        os.set_blocking(near, False)
        kept = {name: v for name, v in os.environ.items() if not name.startswith("SAEGIM_")}
        own = {"SAEGIM_KEY": stack.tenant.key, "SAEGIM_LANG": "en", "TERM": "xterm-256color"}
        process = started(
            [SAEGIM, "chat", "--url", str(http.base_url), "--user", user],
            kept | {"LANG": "C.UTF-8"} | own | environment,
            far,
        )
        os.close(far)
        terminal = Terminal(process, near)
        try:
            yield terminal
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            os.close(near)


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    models = ScriptedModels({ModelRole.LITE: answers, ModelRole.STRONG: answers})
    async with new_stack(databases, Fakes(models=models)) as running:
        await running.services.warm_up()
        await bring_in(running, {"ec2.md": GUIDE})
        yield running


async def test_a_conversation_with_its_commands(stack: Stack) -> None:
    caller = await stack.caller("터미널")
    await stack.services.memory.memories.add(
        caller.scope, "고양이 이름은 보리", MemoryType.NOTE, ""
    )
    async with chatting(stack, "터미널") as terminal:
        await terminal.until("> ")
        await terminal.type("예약 인스턴스 할인율은?\n")
        told = await terminal.until("(ec2.md)")
        await terminal.until("> ")
        await terminal.type("\n")
        await terminal.until("> ")
        await terminal.type("/why\n")
        why = await terminal.until("> ")
        await terminal.type("/sources\n")
        sources = await terminal.until("> ")
        terminal.resize(20, 40)
        await terminal.type("/memory\n")
        remembered = await terminal.until("보리")
        await terminal.until("> ")
        await terminal.type("/forget 1\n")
        forgotten = await terminal.until("보리")
        await terminal.until("> ")
        await terminal.type("/memory 보리\n")
        after = await terminal.until("No memories.")
        await terminal.until("> ")
        await terminal.type("/profile 업무\n")
        profiles = await terminal.until("* 업무")
        await terminal.until("> ")
        await terminal.type("/nonsense\n")
        await terminal.until("Unknown command: /nonsense")
        await terminal.until("> ")
        await terminal.type("EXIT\n")
        code = await terminal.ended()

    assert ANSWER in told
    assert "[1]" in told
    assert "saegim why" not in told
    assert "72%" in sources
    assert "scripted" in why
    assert "1" in remembered
    assert "Forgotten" in forgotten
    assert after
    assert "default" in profiles
    assert code == 0


async def test_what_an_answer_did_to_memory_is_shown_and_undone(stack: Stack) -> None:
    async with chatting(stack, "되돌림") as terminal:
        await terminal.until("> ")
        await terminal.type(f"{CAT}\n")
        await terminal.until(f"* Remembered: {CAT}")
        await terminal.until("> ")
        await terminal.type("/undo\n")
        await terminal.until("Undone")
        await terminal.until("> ")
        await terminal.type("/memory\n")
        await terminal.until("No memories.")
        await terminal.until("> ")
        await terminal.type("/undo\n")
        await terminal.until("Nothing to undo.")


async def test_ctrl_c_stops_the_answer_and_not_the_conversation(stack: Stack) -> None:
    async with chatting(stack, "멈춤") as terminal:
        await terminal.until("> ")
        await terminal.type("예약 인스턴스 할인율은? 길게\n")
        await terminal.until("2번째 줄입니다")
        terminal.resize(30, 60)
        await terminal.until("5번째 줄입니다")
        await terminal.type("\x03")
        await terminal.until("> ")
        await terminal.type("예약 인스턴스 할인율은?\n")
        again = await terminal.until("(ec2.md)")
        await terminal.until("> ")
        await terminal.type("\x03")
        code = await terminal.ended()
    page = await stack.http.get("/v1/memories", headers=stack.headers("%EB%A9%88%EC%B6%A4"))

    assert ANSWER in again
    assert code == 130
    assert page.status_code == 200


async def test_a_console_of_cp949_does_not_break_it(stack: Stack) -> None:
    async with chatting(stack, "옛날", PYTHONIOENCODING="cp949", SAEGIM_LANG="ko") as terminal:
        await terminal.until("> ")
        await terminal.type("an emoji please, what is it?\n")
        await terminal.until("> ")
        await terminal.type("/q\n")
        code = await terminal.ended()

    assert code == 0

"""A conversation in the terminal: messages, and commands that begin with a slash."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from importlib import import_module
from uuid import UUID

from saegim.cli.client_target import ClientTarget
from saegim.cli.console import err, out
from saegim.cli.evaluation import judgement
from saegim.cli.language import _
from saegim.cli.trace import show_trace
from saegim.client import (
    ClientError,
    Done,
    Restart,
    SaegimClient,
    SaegimProblem,
    Token,
    TurnOpened,
)
from saegim.client.memory_types import Memory

SHOWN = 20


@dataclass
class Conversation:
    """One session, and what was last said and shown in it."""

    line: ClientTarget
    session: str | None = None
    turn: UUID | None = None
    said: str = ""
    listed: list[Memory] = field(default_factory=list[Memory])

    def hold(self) -> None:
        """One message or command after another, until an empty line or the end of input."""
        _edit_lines()
        err.print(
            _(
                "Type a message and press Enter. /help lists the commands, an empty line "
                "quits, Ctrl-C stops an answer."
            ),
            style="dim",
        )
        while True:
            try:
                message = input("> ").strip()
            except EOFError:
                return
            if not message or message == "/quit":
                return
            try:
                self._take(message)
            except KeyboardInterrupt:
                # Only what was running stops; one more at the prompt ends the conversation.
                out.print()
                err.print(_("(stopped)"), style="dim")
            except SaegimProblem as problem:
                err.print(str(problem), style="red", soft_wrap=True)

    def _take(self, message: str) -> None:
        if not message.startswith("/"):
            self.said = message
            asyncio.run(self.say(message))
            return
        name, _space, rest = message[1:].partition(" ")
        command = self._commands().get(name)
        if command is None:
            err.print(_("Unknown command: /{name}. Try /help.", name=name), style="yellow")
            return
        asyncio.run(command(rest.strip()))

    def _commands(self) -> dict[str, Callable[[str], Coroutine[None, None, None]]]:
        return {
            "why": self._why,
            "memory": self._memory,
            "profile": self._profile,
            "forget": self._forget,
            "eval": self._eval,
            "help": self._help,
        }

    async def say(self, message: str) -> None:
        """Sends one message and writes the answer as it comes; Ctrl-C stops the turn itself."""
        opened: TurnOpened | None = None
        async with self.line.open() as client:
            try:
                async for event in client.stream(message, session=self.session):
                    match event:
                        case TurnOpened():
                            opened = event
                            self.session, self.turn = str(event.session_id), event.turn_id
                        case Token(text=text):
                            out.out(text, end="")
                        case Restart():
                            out.print()
                            err.print(_("(restarting the answer)"), style="dim")
                        case Done():
                            out.print()
                            _close(event)
                        case _:
                            continue
            except asyncio.CancelledError:
                if opened is not None:
                    with contextlib.suppress(ClientError):
                        await client.cancel(opened.turn_id)
                raise

    async def _why(self, rest: str) -> None:  # noqa: ARG002 - commands are called alike
        if self.turn is None:
            err.print(_("No messages yet."), style="yellow")
            return
        async with self.line.open() as client:
            stored, found = await client.turn(self.turn), await client.trace(self.turn)
        show_trace(stored, found)

    async def _memory(self, rest: str) -> None:
        """What is remembered, newest first; with words, where they all stand."""
        async with self.line.open() as client:
            self.listed = await _first(client, rest)
        for number, each in enumerate(self.listed, 1):
            pinned = " *" if each.pinned else ""
            out.print(f"{number:>3}  {each.said_at:%Y-%m-%d}  {each.content}{pinned}")
        if not self.listed:
            out.print(_("No memories."))

    async def _profile(self, rest: str) -> None:
        """Shows the profiles; with a name, goes on in that one, in a new session."""
        if rest:
            self.line = replace(self.line, profile=rest)
            self.session, self.turn, self.listed = None, None, []
        async with self.line.open() as client:
            for each in await client.profiles():
                out.print(f"{'*' if each.current else ' '} {each.name}")

    async def _forget(self, rest: str) -> None:
        """Forgets a record of the last list by its number; without one, what the last turn told."""
        async with self.line.open() as client:
            if rest:
                await self._forget_listed(client, rest)
            elif self.turn is not None:
                out.print(_("Forgot {count} memories.", count=await client.take_back(self.turn)))
            else:
                err.print(_("No messages yet."), style="yellow")

    async def _forget_listed(self, client: SaegimClient, rest: str) -> None:
        if not (rest.isascii() and rest.isdigit() and 1 <= int(rest) <= len(self.listed)):
            err.print(_("Run /memory first, then use a number from its list."), style="yellow")
            return
        chosen = self.listed[int(rest) - 1]
        await client.memories.forget(chosen.memory_id)
        out.print(_("Forgotten: {content}", content=chosen.content))

    async def _eval(self, rest: str) -> None:
        """How well memory helps with a query; without one, with the last message."""
        session = None if self.turn is None or self.session is None else UUID(self.session)
        async with self.line.open() as client:
            await judgement.judge(client, session, rest or self.said)

    async def _help(self, rest: str) -> None:  # noqa: ARG002 - commands are called alike
        out.print(
            _(
                "/why             explain the last answer\n"
                "/memory [words]  list memories\n"
                "/forget [number] forget that memory of /memory, or what the last turn "
                "added\n"
                "/eval [query]    score how well memory helps with a query\n"
                "/profile [name]  list your profiles, or switch to one\n"
                "/quit            quit"
            )
        )


async def _first(client: SaegimClient, looked_for: str) -> list[Memory]:
    found: list[Memory] = []
    async for each in client.memories.browse(looked_for):
        found.append(each)
        if len(found) == SHOWN:
            break
    return found


def _close(done: Done) -> None:
    """What a reader should know besides the answer, apart from it."""
    reply = done.reply
    for one in reply.citations:
        where = one.document or one.url or one.kind
        err.print(f"[{one.marker}] {one.title} ({where})", style="dim", markup=False)
    if reply.state != "done":
        err.print(
            _(
                "(the answer was not completed: {state} {error})",
                state=reply.state,
                error=reply.error or "",
            ),
            style="yellow",
        )
    if reply.degraded:
        err.print(
            _("(unavailable components: {parts})", parts=", ".join(reply.degraded)), style="yellow"
        )
    err.print(_("To see why: saegim why {turn}", turn=reply.turn_id), style="dim")


def _edit_lines() -> None:
    """Arrows and earlier lines at the prompt, where the system has them."""
    with contextlib.suppress(ImportError):
        # Importing it is what turns it on; there is none on Windows.
        import_module("readline")

"""An interactive conversation in the terminal: messages, and commands that begin with a slash."""

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from importlib import import_module
from uuid import UUID

from saegim.cli.client_target import ClientTarget, collect
from saegim.cli.console import echo, err, out, say, warn
from saegim.cli.evaluation import judgement
from saegim.cli.language import _
from saegim.cli.trace import show_trace
from saegim.client import ClientError, Done, Restart, SaegimClient, SaegimProblem, Token, TurnOpened
from saegim.client.memory_types import Memory

LISTED_MEMORIES = 20
HELP = _(
    "/why             explain the last answer\n"
    "/memory [words]  list memories\n"
    "/forget [number] forget that memory of /memory, or what the last turn "
    "added\n"
    "/eval [query]    score how well memory helps with a query\n"
    "/profile [name]  list your profiles, or switch to one\n"
    "/quit            quit"
)


@dataclass
class Conversation:
    """One session, its last message and the memories it listed."""

    target: ClientTarget
    session: str | None = None
    turn: UUID | None = None
    last_message: str = ""
    listed: list[Memory] = field(default_factory=list[Memory])

    def run(self) -> None:
        """Read messages and commands until an empty line, `/quit` or the end of input."""
        # Importing it turns on line editing and history; Windows has none.
        with contextlib.suppress(ImportError):
            import_module("readline")
        warn(
            "Type a message and press Enter. /help lists the commands, an empty line "
            "quits, Ctrl-C stops an answer.",
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
                asyncio.run(self._handle(message))
            except KeyboardInterrupt:
                # Stops only what was running; another one at the prompt ends the conversation.
                out.print()
                warn("(stopped)", style="dim")
            except SaegimProblem as problem:
                warn(str(problem), style="red")

    async def _handle(self, message: str) -> None:
        if not message.startswith("/"):
            self.last_message = message
            await self.send(message)
            return
        name, _space, argument = message[1:].partition(" ")
        commands = {
            "why": self._why,
            "memory": self._memory,
            "profile": self._profile,
            "forget": self._forget,
            "eval": self._eval,
        }
        if name == "help":
            echo(HELP)
        elif name not in commands:
            warn("Unknown command: /{name}. Try /help.", name=name)
        else:
            async with self.target.open() as client:
                await commands[name](client, argument.strip())

    async def send(self, message: str) -> None:
        """Send a message and print the answer as it streams; Ctrl-C also stops the turn."""
        opened: TurnOpened | None = None
        async with self.target.open() as client:
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
                            warn("(restarting the answer)", style="dim")
                        case Done():
                            out.print()
                            _print_notes(event)
                        case _:
                            continue
            except asyncio.CancelledError:
                if opened is not None:
                    with contextlib.suppress(ClientError):
                        await client.cancel(opened.turn_id)
                raise

    async def _why(self, client: SaegimClient, _argument: str) -> None:
        if self.turn is None:
            warn("No messages yet.")
        else:
            show_trace(await client.turn(self.turn), await client.trace(self.turn))

    async def _memory(self, client: SaegimClient, words: str) -> None:
        """List memories, newest first; with words, those that contain them all."""
        self.listed = await collect(client.memories.browse(words), LISTED_MEMORIES)
        for number, each in enumerate(self.listed, 1):
            pinned = " *" if each.pinned else ""
            echo(f"{number:>3}  {each.said_at:%Y-%m-%d}  {each.content}{pinned}")
        if not self.listed:
            say("No memories.")

    async def _profile(self, _client: SaegimClient, name: str) -> None:
        """List the profiles; with a name, switch to that one, in a new session."""
        if name:
            self.target = replace(self.target, profile=name)
            self.session, self.turn, self.listed = None, None, []
        async with self.target.open() as client:
            for each in await client.profiles():
                echo(f"{'*' if each.current else ' '} {each.name}")

    async def _forget(self, client: SaegimClient, number: str) -> None:
        """Forget a memory of the last list; without a number, those of the last turn."""
        if not number:
            if self.turn is None:
                warn("No messages yet.")
            else:
                say("Forgot {count} memories.", count=await client.take_back(self.turn))
        elif not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(self.listed)):
            warn("Run /memory first, then use a number from its list.")
        else:
            chosen = self.listed[int(number) - 1]
            await client.memories.forget(chosen.memory_id)
            say("Forgotten: {content}", content=chosen.content)

    async def _eval(self, client: SaegimClient, query: str) -> None:
        """Score how well memory helps with a query; without one, with the last message."""
        session = None if self.turn is None or self.session is None else UUID(self.session)
        await judgement.judge(client, session, query or self.last_message)


def _print_notes(done: Done) -> None:
    """Print sources and warnings to standard error."""
    reply = done.reply
    for each in reply.citations:
        source = each.document or each.url or each.kind
        err.print(f"[{each.marker}] {each.title} ({source})", style="dim")
    if reply.state != "done":
        warn(
            "(the answer was not completed: {state} {error})",
            state=reply.state,
            error=reply.error or "",
        )
    if reply.degraded:
        warn("(unavailable components: {parts})", parts=", ".join(reply.degraded))
    warn("To see why: saegim why {turn}", style="dim", turn=reply.turn_id)

"""An interactive conversation in the terminal: messages, and commands that begin with a slash."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from uuid import UUID

from saegim.cli.answer_display import AnswerDisplay
from saegim.cli.client_target import ClientTarget, collect
from saegim.cli.console import echo, err, local_date, out, say, warn
from saegim.cli.language import LOCALE, _
from saegim.cli.trace import show_trace
from saegim.client import (
    ChatReply,
    Citation,
    ClientError,
    Done,
    Event,
    Restart,
    SaegimClient,
    SaegimProblem,
    Token,
    TurnOpened,
)
from saegim.client.memory_types import Memory
from saegim.locales import N_
from saegim.locales.answer_notes import effects_text, place_text

LISTED_MEMORIES = 20
# As the shells and programs that people know spell it.
QUIT = frozenset({"exit", "quit", "종료", "/exit", "/quit", "/q", "/종료"})
HELP = _(
    "/why             explain the last answer\n"
    "/sources         show the sources of the last answer in full\n"
    "/memory [words]  list memories\n"
    "/forget number   forget that memory of /memory\n"
    "/undo            take back what the last answer did to memory\n"
    "/eval [query]    score how well memory helps with a query\n"
    "/profile [name]  list your profiles, or switch to one\n"
    "/quit            quit (also exit, /q or Ctrl-D)"
)
CRITERIA = {
    "relevance": _("relevance"),
    "completeness": _("completeness"),
    "accuracy": _("accuracy"),
    "noise": _("noise"),
}


@dataclass
class Conversation:
    """One session, its last message and the memories it listed."""

    target: ClientTarget
    session: str | None = None
    turn: UUID | None = None
    last_message: str = ""
    citations: Sequence[Citation] = ()
    listed: list[Memory] = field(default_factory=list[Memory])

    def run(self) -> None:
        """Read messages and commands until `exit`, `/quit` or the end of input."""
        # Importing it turns on line editing and history; Windows has none.
        with contextlib.suppress(ImportError):
            import_module("readline")
        warn(
            "Type a message and press Enter. /why explains the last answer, /help "
            "lists the commands, exit quits, Ctrl-C stops an answer.",
            style="dim",
        )
        while True:
            try:
                message = input("> ").strip()
            except EOFError:
                return
            if not message:
                continue
            if message.lower() in QUIT:
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
            "sources": self._sources,
            "memory": self._memory,
            "profile": self._profile,
            "forget": self._forget,
            "undo": self._undo,
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
        before, reply = self.turn, None
        async with self.target.open() as client:
            try:
                with AnswerDisplay() as display:
                    async for event in client.stream(message, session=self.session):
                        reply = self._show(event, display) or reply
            except asyncio.CancelledError:
                if self.turn is not None and self.turn != before:
                    with contextlib.suppress(ClientError):
                        await client.cancel(self.turn)
                raise
        if reply is not None:
            self.citations = reply.citations
            _print_notes(reply)

    def _show(self, event: Event, display: AnswerDisplay) -> ChatReply | None:
        """Print an event, and return the reply at the end of the stream."""
        match event:
            case TurnOpened():
                self.session, self.turn = str(event.session_id), event.turn_id
            case Token(text=text):
                display.add(text)
            case Restart():
                display.finish()
                say("(restarting the answer)", style="dim")
            case Done():
                display.finish()
                return event.reply
            case _:
                pass
        return None

    async def _why(self, client: SaegimClient, _argument: str) -> None:
        if self.turn is None:
            warn("No messages yet.")
        else:
            show_trace(await client.turn(self.turn), await client.trace(self.turn))

    async def _sources(self, client: SaegimClient, _argument: str) -> None:
        """Print each source of the last answer, with its text if it is a passage."""
        if not self.citations:
            say("The last answer has no sources.")
        for each in self.citations:
            echo(f"[{each.marker}] {each.title} ({_source(each)})", style="bold")
            if each.kind == "passage":
                for passage in await client.section(UUID(each.id)):
                    echo(passage.text)

    async def _memory(self, client: SaegimClient, words: str) -> None:
        """List memories, newest first; with words, those that contain them all."""
        self.listed = await collect(client.memories.browse(words), LISTED_MEMORIES)
        for number, each in enumerate(self.listed, 1):
            pinned = " *" if each.pinned else ""
            echo(f"{number:>3}  {local_date(each.said_at)}  {each.content}{pinned}")
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
        """Forget a memory of the last list."""
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(self.listed)):
            warn("Run /memory first, then use a number from its list.")
        else:
            chosen = self.listed[int(number) - 1]
            await client.memories.forget(chosen.memory_id)
            say("Forgotten: {content}", content=chosen.content)

    async def _undo(self, client: SaegimClient, _argument: str) -> None:
        """Take back what the last turn did to memory, and what was remembered of it since."""
        if self.turn is None:
            warn("No messages yet.")
        else:
            taken_back = await client.take_back(self.turn)
            say(N_("Undone") if taken_back else N_("Nothing to undo."))

    async def _eval(self, client: SaegimClient, query: str) -> None:
        """Score how well memory helps with a query; without one, with the last message."""
        session = None if self.turn is None or self.session is None else UUID(self.session)
        await show_judgement(client, session, query or self.last_message)


def _print_notes(reply: ChatReply) -> None:
    """Print sources and warnings to standard error, one line each."""
    if reply.citations:
        err.print()
    for each in reply.citations:
        line = f"[{each.marker}] {each.title} ({_source(each)})"
        # A long line in a file is of use; in a terminal it is noise.
        fold = err.is_terminal
        err.print(line, style="dim", no_wrap=fold, overflow="ellipsis", soft_wrap=not fold)
    if reply.effects:
        err.print(f"* {effects_text(reply.effects, LOCALE)}", style="dim", soft_wrap=True)
    if reply.state != "done":
        warn(
            "(the answer was not completed: {state} {error})",
            state=reply.state,
            error=reply.error or "",
        )
    if reply.degraded:
        warn("(unavailable components: {parts})", parts=", ".join(reply.degraded))


def _source(citation: Citation) -> str:
    """Return the document of a citation with the page, slide or row."""
    if citation.team:
        return _("Team memory")
    source = citation.document or citation.url or citation.kind
    return ", ".join(filter(None, (source, place_text(citation.locator, LOCALE))))


async def show_judgement(client: SaegimClient, session: UUID | None, query: str) -> None:
    """Score memory for a query and print what helps and what is missing."""
    if session is None or not query:
        warn("No conversation yet.")
        return
    evaluation = await client.evaluate(session, query)
    judgement = evaluation.judgement
    say(
        "overall {score:.1f}/100 (judge: {by})",
        style="bold",
        score=judgement.overall_score,
        by=evaluation.judged_by,
    )
    for name, scored in judgement.scores.items():
        label = CRITERIA.get(name, name)
        echo(f"  {label:<12} {scored.score:>2}/10  {scored.reason}")
    for title, lines in (
        (_("helpful"), judgement.helpful_info),
        (_("missing"), judgement.missing_info),
    ):
        if lines:
            echo(f"  {title}")
            for line in lines:
                echo(f"    - {line}")

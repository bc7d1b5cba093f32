"""Prints an answer while it arrives: drawn Markdown in a terminal, plain text elsewhere."""

from types import TracebackType
from typing import Self

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment, Segments

from saegim.cli.console import out

FENCES = ("```", "~~~")
# Documents are quoted as they are; an escape sequence in one must not reach the terminal.
ESCAPE = "\x1b"
REFRESHES_PER_SECOND = 8


class AnswerDisplay:
    """Draws each finished block of Markdown once, and redraws only the one that still grows."""

    def __init__(self) -> None:
        self._tail = ""
        drawn = out.is_terminal and not out.is_dumb_terminal
        self._live = (
            Live(console=out, refresh_per_second=REFRESHES_PER_SECOND, transient=True)
            if drawn
            else None
        )

    def add(self, text: str) -> None:
        text = text.replace(ESCAPE, "")
        if self._live is None:
            out.out(text, end="", highlight=False)
            return
        finished, self._tail = split_finished(self._tail + text)
        if finished.strip():
            out.print(_markdown(finished))
            out.print()
        self._live.update(_LastLines(self._tail))

    def finish(self) -> None:
        """Print what is left, and end the line."""
        if self._live is None:
            out.print()
            return
        self._live.update("")
        if self._tail.strip():
            out.print(_markdown(self._tail))
        self._tail = ""

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()


def split_finished(text: str) -> tuple[str, str]:
    """Split Markdown after its last empty line outside of a code block."""
    fenced, position, end = False, 0, 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if line.lstrip().startswith(FENCES):
            fenced = not fenced
        elif line.isspace() and line.endswith("\n") and not fenced:
            end = position
    return text[:end], text[end:]


class _LastLines:
    """The end of a text that may be longer than the terminal, where the new words are."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(_markdown(self._text), options, pad=False)
        for line in lines[-max(1, options.size.height - 2) :]:
            yield Segments([*line, Segment.line()])


def _markdown(text: str) -> Markdown:
    # Addresses are shown as they are, so that a link cannot pretend to lead elsewhere.
    return Markdown(text, hyperlinks=False)

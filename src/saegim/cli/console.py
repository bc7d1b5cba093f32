"""Printing to the terminal."""

import io
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NoReturn

import typer
from rich.console import Console
from rich.table import Table

from saegim.cli.language import _

# No markup: addresses and messages may hold brackets and colons.
out = Console(markup=False, emoji=False, highlight=False)
err = Console(markup=False, emoji=False, highlight=False, stderr=True)


def tolerate_any_encoding() -> None:
    """Print a question mark for characters that the terminal cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def echo(text: object, style: str | None = None) -> None:
    """Print a line as it is; the terminal wraps it, so that it can be copied."""
    out.print(text, style=style, soft_wrap=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table with a header, unless it is empty. The last column takes what is left of the
    line; the others are never cut, because part of an ID is of no use."""
    texts = [[str(value) for value in row] for row in rows]
    if not texts:
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    for number, column in enumerate(columns):
        last = number == len(columns) - 1
        table.add_column(column, no_wrap=not last, overflow="fold", min_width=None)
    for row in texts:
        table.add_row(*row)
    out.print(table)


def say(message: str, /, *, style: str | None = None, **values: object) -> None:
    """Print a text in the language of the user."""
    echo(_(message, **values), style)


def warn(message: str, /, *, style: str = "yellow", **values: object) -> None:
    """Print a text in the language of the user to standard error."""
    err.print(_(message, **values), style=style, soft_wrap=True)


def fail(message: str, /, **values: object) -> NoReturn:
    """Print the reason in the language of the user and exit with code 1."""
    warn(message, style="red", **values)
    raise typer.Exit(1)


def local_date(moment: datetime) -> str:
    """Return a day in the time zone of the person at the terminal."""
    return moment.astimezone().strftime("%Y-%m-%d")


def local_time(moment: datetime) -> str:
    """Return a day and minute in the time zone of the person at the terminal."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


@contextmanager
def timed(component: str) -> Generator[None]:
    """Print how long it took to start a component."""
    start = time.monotonic()
    yield
    echo(f"  {time.monotonic() - start:5.1f} s  {component}")

"""Where the command line writes: any console, also one that cannot show Korean."""

import io
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console

# Nothing is taken for markup: addresses and messages may hold brackets and colons.
out = Console(markup=False, emoji=False, highlight=False)
err = Console(markup=False, emoji=False, highlight=False, stderr=True)


def tolerate_any_encoding() -> None:
    """What a console cannot show becomes a question mark instead of an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def fail(message: str) -> NoReturn:
    """Says why, and ends the command with exit code 1."""
    err.print(message, style="red", soft_wrap=True)
    raise typer.Exit(1)


@contextmanager
def timed(part: str) -> Generator[None]:
    """A line for a part when it is there, with how long it took."""
    began = time.monotonic()
    yield
    out.print(f"  {time.monotonic() - began:5.1f} s  {part}", soft_wrap=True)

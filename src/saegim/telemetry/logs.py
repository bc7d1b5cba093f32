"""Structured logs: one JSON object per line, with ids and codes but no user text."""

import json
import logging
import sys
import traceback
from collections import Counter
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from types import TracebackType
from typing import TextIO

MOST_FRAMES = 50
MOST_CAUSES = 5
CALLS = "saegim.api"
REPEAT_SECONDS = 10
MOST_REPEATED = 100

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id.get() is not None:
            line["request"] = request_id.get() or ""
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            line |= _exception(record)
        return json.dumps(line, ensure_ascii=False)


class RepeatedLines(logging.Filter):
    """Limits how often a warning or error is logged in ten seconds.

    asyncio logs each connection that it cannot accept: thousands per second."""

    def __init__(self) -> None:
        super().__init__()
        self._window = 0.0
        self._passed: Counter[tuple[str, object]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        window = record.created // REPEAT_SECONDS
        if window != self._window:
            self._window = window
            self._passed.clear()
        name = record.name, record.msg
        self._passed[name] += 1
        return self._passed[name] <= MOST_REPEATED


def _exception(record: logging.LogRecord) -> dict[str, object]:
    """Return the type, location and frames of an exception and its causes.

    Leaves out its text, which could quote a message."""
    assert record.exc_info is not None
    kind, error, trace = record.exc_info
    frames = _frames(trace)
    causes = [
        f"{type(each).__name__} {' '.join(_frames(each.__traceback__))}" for each in _causes(error)
    ]
    fields: dict[str, object] = {
        "error": kind.__name__ if kind else "",
        "where": frames[-1] if frames else "",
        "stack": frames,
    }
    return fields | ({"causes": causes} if causes else {})


def _frames(trace: TracebackType | None) -> list[str]:
    locations = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(trace)]
    return [f"{file}:{line}" for file, line in locations[-MOST_FRAMES:]]


def _causes(error: BaseException | None) -> list[BaseException]:
    """Return the causes or contexts of an exception, nearest first."""
    causes: list[BaseException] = []
    while error is not None and len(causes) < MOST_CAUSES:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is not None:
            causes.append(error)
    return causes


def configure(
    level: str,
    stream: TextIO | None = None,
    file: Path | None = None,
    error_file: Path | None = None,
    call_file: Path | None = None,
) -> None:
    """Send logs to `stream` (or stderr) and `file`, errors to `error_file`, and request lines at
    any level to `call_file`. Rotated files are reopened."""
    handlers: list[logging.Handler] = [logging.StreamHandler(stream or sys.stderr)]
    if file is not None:
        handlers.append(_to_file(file))
    if error_file is not None:
        handlers.append(_to_file(error_file))
        handlers[-1].setLevel(logging.ERROR)
    if call_file is not None:
        for handler in handlers:
            handler.setLevel(max(handler.level, logging.getLevelNamesMapping()[level]))
        handlers.append(_to_file(call_file))
        handlers[-1].addFilter(logging.Filter(CALLS))
        logging.getLogger(CALLS).setLevel(logging.INFO)
    for handler in handlers:
        handler.setFormatter(JsonLines())
        handler.addFilter(RepeatedLines())
    logging.basicConfig(level=level, handlers=handlers, force=True)
    # These log arguments: ids of jobs, URLs of requests.
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def _to_file(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    return WatchedFileHandler(path, encoding="utf-8")

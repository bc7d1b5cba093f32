"""Structured logs: one JSON object a line, ids and codes only, never what people said."""

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
            line |= _where(record)
        return json.dumps(line, ensure_ascii=False)


class RepeatedLines(logging.Filter):
    """Lets a warning or error pass a few times in ten seconds, and drops what repeats it.

    asyncio writes a line for each connection that it cannot accept: thousands in a second."""

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


def _where(record: logging.LogRecord) -> dict[str, object]:
    """The kind of an exception, its place, and every frame that led there, oldest first, with those
    of its causes. Never its text, which could quote a message."""
    assert record.exc_info is not None
    kind, error, trace = record.exc_info
    frames = _frames(trace)
    causes = [
        f"{type(each).__name__} {' '.join(_frames(each.__traceback__))}" for each in _causes(error)
    ]
    found: dict[str, object] = {
        "error": kind.__name__ if kind else "",
        "where": frames[-1] if frames else "",
        "stack": frames,
    }
    return found | ({"causes": causes} if causes else {})


def _frames(trace: TracebackType | None) -> list[str]:
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(trace)]
    return [f"{file}:{line}" for file, line in places[-MOST_FRAMES:]]


def _causes(error: BaseException | None) -> list[BaseException]:
    """What an exception was raised from, or while handling, nearest first."""
    found: list[BaseException] = []
    while error is not None and len(found) < MOST_CAUSES:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is not None:
            found.append(error)
    return found


def configure(
    level: str,
    stream: TextIO | None = None,
    file: Path | None = None,
    error_file: Path | None = None,
    call_file: Path | None = None,
) -> None:
    """Sends all logs of the process to `stream` (else stderr) and `file`, errors to `error_file`,
    and the lines of requests, at any level, to `call_file`.

    Files are opened again when another program has moved them away."""
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
    # Both log arguments of what they run: ids for jobs, URLs for requests.
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def _to_file(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    return WatchedFileHandler(path, encoding="utf-8")

"""Structured logs: one JSON object a line, ids and codes only, never what people said."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import TextIO

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id.get() is not None:
            line["request"] = request_id.get() or ""
        if record.exc_info and record.exc_info[0] is not None:
            line |= _where(record)
        return json.dumps(line, ensure_ascii=False)


def _where(record: logging.LogRecord) -> dict[str, str]:
    """An exception's kind and place; its text could quote a message."""
    assert record.exc_info is not None
    kind, _, trace = record.exc_info
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return {"error": kind.__name__ if kind else "", "where": place}


def configure(
    level: str,
    stream: TextIO | None = None,
    file: Path | None = None,
    error_file: Path | None = None,
) -> None:
    """Sends all logs of the process to `stream` (else stderr) and `file`, errors to `error_file`.

    Files are opened again when another program has moved them away."""
    handlers: list[logging.Handler] = [logging.StreamHandler(stream or sys.stderr)]
    if file is not None:
        handlers.append(_to_file(file))
    if error_file is not None:
        handlers.append(_to_file(error_file))
        handlers[-1].setLevel(logging.ERROR)
    for handler in handlers:
        handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=handlers, force=True)
    # Both log arguments of what they run: ids for jobs, URLs for requests.
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def _to_file(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    return WatchedFileHandler(path, encoding="utf-8")

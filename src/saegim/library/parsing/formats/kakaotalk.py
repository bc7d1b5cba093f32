"""Parse KakaoTalk exports: a section per day, a block per window of messages."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby

from saegim.domain.errors import Unreadable
from saegim.library.parsing.formats.kakao_lines import (
    KakaoMessage,
    has_ruled_days,
    is_csv_export,
    is_system,
    pc_message,
    phone_line,
    room,
    saved,
    separator,
)
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.types import BlockKind, ParsedDocument

_PAUSE = timedelta(minutes=30)
_WINDOW_MESSAGES = 12
_WINDOW_LENGTH = 400
_NAMES_SHOWN = 50
_HEAD_LINES = 5


@dataclass(slots=True)
class _Export:
    room: str | None = None
    saved_at: str | None = None
    is_korean: bool = True
    messages: list[KakaoMessage] = field(default_factory=list[KakaoMessage])


def read(text: str, _: ParseLimits) -> list[ParsedDocument]:
    export = _table(text) if is_csv_export(text) else _lines(text)
    messages = [message for message in export.messages if not message.is_noise]
    if not messages:
        raise Unreadable(Reason.EMPTY)
    outline = Outline()
    for day, sent in groupby(messages, key=lambda message: message.at.date()):
        outline.heading(1, _day(day, korean=export.is_korean))
        for window in _windows(list(sent)):
            outline.add(BlockKind.PARAGRAPH, "\n".join(_render(message) for message in window))
    names = list(dict.fromkeys(message.name for message in messages))
    metadata = {
        "format": "kakaotalk",
        "room": export.room or "",
        "saved_at": export.saved_at or "",
        "participants": ", ".join(names[:_NAMES_SHOWN]),
        "messages": str(len(messages)),
        "first_day": messages[0].at.date().isoformat(),
        "last_day": messages[-1].at.date().isoformat(),
    }
    return [outline.document(export.room, type="chat", metadata=metadata)]


def _table(text: str) -> _Export:
    """Parse the CSV of the desktop app: date, user, message."""
    export = _Export()
    csv.field_size_limit(1 << 20)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            at = _instant(row[0]) if len(row) >= 3 else None
            if at is not None and not is_system(row[2]):
                export.messages.append(KakaoMessage(at, row[1].strip(), row[2]))
    except csv.Error as error:
        raise Unreadable(Reason.CORRUPT) from error
    return export


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def _lines(text: str) -> _Export:
    """Parse line by line; a message continues until a line of another kind."""
    export = _Export()
    ruled = has_ruled_days(text)
    day: date | None = None
    current: KakaoMessage | None = None
    parts: list[str] = []

    def finish() -> None:
        if current is not None:
            export.messages.append(KakaoMessage(current.at, current.name, "\n".join(parts).strip()))

    for number, line in enumerate(text.split("\n")):
        if number < _HEAD_LINES and not export.messages and _head(export, line):
            continue
        new_day, phone_match = separator(line, ruled=ruled), phone_line(line)
        message = phone_match[1] if phone_match else pc_message(line, day)
        if new_day or phone_match or message or (is_system(line) and current is not None):
            finish()
            day = new_day or day
            current, parts = message, [message.text] if message else []
        elif current is not None:
            parts.append(line)
    finish()
    return export


def _head(export: _Export, line: str) -> bool:
    """Read the room's name and the export date above the messages."""
    name, when = room(line), saved(line)
    if name is not None:
        export.room = name
        export.is_korean = "카카오톡" in line
    export.saved_at = when or export.saved_at
    return name is not None or when is not None


def _windows(messages: Sequence[KakaoMessage]) -> Iterator[list[KakaoMessage]]:
    """Yield groups of messages that follow each other closely."""
    window: list[KakaoMessage] = []
    length = 0
    for message in messages:
        apart = window and message.at - window[-1].at > _PAUSE
        if apart or len(window) >= _WINDOW_MESSAGES or (window and length >= _WINDOW_LENGTH):
            yield window
            window, length = [], 0
        window.append(message)
        length += len(message.text)
    if window:
        yield window


def _render(message: KakaoMessage) -> str:
    return f"{message.name} ({message.at:%H:%M}): {message.text.strip()}"


def _day(day: date, *, korean: bool) -> str:
    if korean:
        return f"{day.year}년 {day.month}월 {day.day}일"
    return f"{day:%B} {day.day}, {day.year}"

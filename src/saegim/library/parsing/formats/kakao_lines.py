"""Line formats of KakaoTalk exports: PC and phone, Korean and English."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time

_HEAD = 20_000
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"),
        1,
    )
    for name in names.split()
}  # fmt: skip
_KOREAN_DATE = r"(?P<y>\d{4})(?:년|\.)\s?(?P<m>\d{1,2})(?:월|\.)\s?(?P<d>\d{1,2})(?:일|\.)"
_ENGLISH_DATE = r"(?P<month>[A-Z][a-z]{2,8})\.?\s(?P<d>\d{1,2}),\s(?P<y>\d{4})"
_DAY_NAME = r"(?:[월화수목금토일]요일|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
_HALF = r"오전|오후|AM|PM|am|pm|a\.m\.|p\.m\."
_CLOCK = (
    rf"(?:(?P<before>{_HALF})\s)?(?P<h>\d{{1,2}}):(?P<min>\d{{2}})(?::\d{{2}})?"
    rf"(?:\s(?P<after>{_HALF}))?"
)

_RULED_DATE = tuple(
    re.compile(rf"\s*-{{3,}}\s*(?:{_DAY_NAME},?\s)?{form}(?:,?\s{_DAY_NAME})?\s*-{{3,}}\s*")
    for form in (_KOREAN_DATE, _ENGLISH_DATE)
)
_BARE_DATE = tuple(
    re.compile(rf"(?:{_DAY_NAME},?\s)?{form}(?:,?\s{_DAY_NAME}|,?\s(?:at\s)?{_CLOCK})?\s*")
    for form in (_KOREAN_DATE, _ENGLISH_DATE)
)
_PC_MESSAGE = re.compile(rf"\[(?P<name>[^\n]{{1,100}}?)\] \[{_CLOCK}\] ?(?P<text>.*)", re.DOTALL)
_PHONE_LINE = tuple(
    re.compile(rf"{form},?\s(?:at\s)?{_CLOCK}[,:]\s(?P<rest>.*)", re.DOTALL)
    for form in (_KOREAN_DATE, _ENGLISH_DATE)
)
_SPOKEN = re.compile(r"(?P<name>[^\n]{1,100}?) : (?P<text>.*)", re.DOTALL)
_CSV_HEADER = re.compile(r'\s*"?Date"?\s*,\s*"?User"?\s*,\s*"?Message"?\s*(?:\n|$)', re.IGNORECASE)
_ROOM = re.compile(
    r"(?P<ko>.+?)\s*(?:님과(?:의)?\s)?카카오톡 대화|KakaoTalk Chats with (?P<en>.+)"
    r"|(?P<win>.+) with KakaoTalk Chats"
)
_SAVED = re.compile(r"(?:저장한 날짜|Date Saved|Saved Date)\s*:\s*(?P<when>.+)")
_NOISES = (
    *("사진", "동영상", "이모티콘", "음성메시지", "라이브톡", "지도", "연락처", r"사진 \d+장"),
    *(
        r"삭제된 메시지입니다\.?",
        r"채팅방 관리자가 메시지를 가렸습니다\.?",
        "(?:보이스톡|페이스톡).{0,30}",
    ),
    *("그룹콜.{0,30}", "Photos?", r"\d+ photos", "Video", "Emoticon", "Sticker", "Face Talk"),
    *("Voice (?:Message|Note|Call)", r"Th(?:is|e) message was deleted\.?"),
)
_NOISE = re.compile("|".join(_NOISES))
_SYSTEM = re.compile(
    r".{1,120}(?:님이 (?:들어왔습니다|나갔습니다)|님을 (?:초대하였습니다|초대했습니다|내보냈습니다)"
    r"|님이 .{1,100}님(?:을|과) .{0,100}초대.{0,20}|joined this chatroom|left this chatroom"
    r"|has (?:joined|left)|invited .{1,100}|left the chatroom|joined the chatroom)\.?"
    r"(?:\s?운영정책.*)?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class KakaoMessage:
    at: datetime
    name: str
    text: str

    @property
    def is_noise(self) -> bool:
        """Whether the message is only a picture or the like."""
        return _NOISE.fullmatch(self.text.strip()) is not None


def is_export(text: str) -> bool:
    """Whether a text is an export, by its header or its first messages."""
    head = text[:_HEAD].lstrip("\ufeff\n ")
    if _CSV_HEADER.match(head):
        return True
    lines = [line for line in head.split("\n")[:80] if line.strip()]
    titled = any(_ROOM.fullmatch(line.strip()) for line in lines[:3])
    dated = any(_SAVED.match(line.strip()) for line in lines[:4])
    messages = sum(is_message(line) for line in lines)
    return (titled and dated) or (messages >= 3 and messages * 3 >= len(lines))


def is_csv_export(text: str) -> bool:
    return _CSV_HEADER.match(text.lstrip("\ufeff")) is not None


def is_message(line: str) -> bool:
    return _PC_MESSAGE.match(line) is not None or phone_line(line) is not None


def room(line: str) -> str | None:
    match = _ROOM.fullmatch(line.strip())
    return next((name.strip() for name in match.groups() if name), None) if match else None


def saved(line: str) -> str | None:
    match = _SAVED.fullmatch(line.strip())
    return match["when"].strip() if match else None


def is_system(line: str) -> bool:
    return _SYSTEM.fullmatch(line.strip()) is not None


def has_ruled_days(text: str) -> bool:
    """Whether dashed lines separate days, as in desktop exports."""
    dashed = [line for line in text[:_HEAD].split("\n") if line.startswith("---")]
    return any(_RULED_DATE[0].match(line) or _RULED_DATE[1].match(line) for line in dashed)


def separator(line: str, *, ruled: bool) -> date | None:
    """Return the date in a line that separates days."""
    if ruled != line.startswith("---") or not _may_be_dated(line):
        return None
    for form in _RULED_DATE if ruled else _BARE_DATE:
        if match := form.fullmatch(line):
            return _date(match)
    return None


def _may_be_dated(line: str) -> bool:
    """Check the first character, which skips the patterns for most lines."""
    first = line[:1]
    return first.isdecimal() or first.isupper() or first == "-"


def pc_message(line: str, day: date | None) -> KakaoMessage | None:
    match = _PC_MESSAGE.fullmatch(line)
    clock = _time(match) if match else None
    if match is None or clock is None or day is None:
        return None
    return KakaoMessage(datetime.combine(day, clock), match["name"].strip(), match["text"])


def phone_line(line: str) -> tuple[datetime, KakaoMessage | None] | None:
    """Parse a dated line of a phone export: a message, or None for a notice of the room."""
    for form in _PHONE_LINE if _may_be_dated(line) else ():
        match = form.fullmatch(line)
        day, clock = (_date(match), _time(match)) if match else (None, None)
        if match is None or day is None or clock is None:
            continue
        at = datetime.combine(day, clock)
        message = _SPOKEN.fullmatch(match["rest"])
        return at, KakaoMessage(at, message["name"].strip(), message["text"]) if message else None
    return None


def _date(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = _MONTHS.get((parts.get("month") or "").lower()) or int(parts.get("m") or 0)
    try:
        return date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None


def _time(match: re.Match[str]) -> time | None:
    hour, half = int(match["h"]), (match["before"] or match["after"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half in ("오후", "pm", "p.m.") else 0)
    try:
        return time(hour, int(match["min"]))
    except ValueError:
        return None

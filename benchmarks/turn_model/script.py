"""The script: messages in order, what is expected of each answer, and the checks by machine."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).parent
SCRIPT = FOLDER / "script.toml"
LIBRARY = FOLDER / "library"
RECORDINGS = FOLDER / "recordings"
ZONE = ZoneInfo("Asia/Seoul")
BETWEEN_MESSAGES = timedelta(minutes=2)
Comparison = Literal["judged", "played", ""]


@dataclass(frozen=True, slots=True)
class ScriptMessage:
    """A message at its time, and what is expected, written down before any run."""

    id: str
    session: str
    user: str
    at: datetime
    say: str
    kind: str
    expects: str
    has: tuple[str, ...] = ()
    """Texts of the answer; "a|b" is either."""
    has_not: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    """What it may do to memory: remembered, forgotten, left_out, undone, proposed, none."""
    cites: tuple[str, ...] = ()
    """Parts of titles of documents that must be cited."""
    cites_only: tuple[str, ...] | None = None
    """Parts of titles of documents that may be cited; None allows all."""
    keeps: tuple[str, ...] = ()
    """What some memory must say afterwards."""
    lacks: tuple[str, ...] = ()
    """What no memory may say afterwards."""
    compare: Comparison = ""
    """Whether the baselines get it, and whether it is judged beside theirs."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the person got."""

    answer: str
    state: str = "done"
    citations: tuple[Mapping[str, Any], ...] = ()
    effects: tuple[Mapping[str, Any], ...] = ()
    proposal: str | None = None
    grounded: bool | None = None
    error: str | None = None
    memories: tuple[str, ...] = ()
    """What is remembered of the person afterwards."""
    streamed: str = field(default="", compare=False)

    @property
    def did(self) -> set[str]:
        """What the answer did to memory."""
        kinds = {str(each["kind"]) for each in self.effects}
        return (kinds | ({"proposed"} if self.proposal else set())) or {"none"}


def load(path: Path = SCRIPT) -> list[ScriptMessage]:
    """Return the messages in order; one without a time comes two minutes after the one before."""
    document = tomllib.loads(path.read_text("utf-8"))
    messages: list[ScriptMessage] = []
    for session in document["session"]:
        at: datetime = session["at"].replace(tzinfo=ZONE)
        for entry in session["message"]:
            values = {name: _value(value) for name, value in entry.items() if name != "at"}
            at = entry["at"].replace(tzinfo=ZONE) if "at" in entry else at
            messages.append(
                ScriptMessage(session=session["name"], user=session["user"], at=at, **values)
            )
            at += BETWEEN_MESSAGES
    return messages


def library() -> dict[str, str]:
    """Return the documents by file name."""
    return {file.name: file.read_text("utf-8") for file in sorted(LIBRARY.glob("*.md"))}


def failures(message: ScriptMessage, shown: Shown) -> list[str]:
    """Return what a machine finds wrong with an answer."""
    found: list[str] = []
    answer = plain(shown.answer)
    if shown.state != "done" or not answer:
        found.append(f"state {shown.state}: {shown.error}")
    found += [f"has not: {each}" for each in message.has if not _occurs(each, answer)]
    found += [f"has: {each}" for each in message.has_not if _occurs(each, answer)]
    if message.effects and not shown.did <= set(message.effects):
        found.append(f"did {', '.join(sorted(shown.did))}")
    titles = [str(each["title"]) for each in shown.citations if each["kind"] == "passage"]
    found += [
        f"does not cite: {part}"
        for part in message.cites
        if not any(part in title for title in titles)
    ]
    if message.cites_only is not None:
        allowed = message.cites_only
        found += [f"cites: {t}" for t in titles if not any(part in t for part in allowed)]
    memories = list(map(plain, shown.memories))
    kept = {each for each in message.keeps if any(_occurs(each, text) for text in memories)}
    found += [f"not remembered: {each}" for each in message.keeps if each not in kept]
    found += [
        f"still remembered: {each}"
        for each in message.lacks
        if any(_occurs(each, text) for text in memories)
    ]
    return found


def plain(text: str) -> str:
    """Return a text without case, emphasis, separators of thousands and superfluous spaces."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("*", ""))
    return " ".join(text.casefold().split())


def _occurs(wanted: str, text: str) -> bool:
    return any(plain(each) in text for each in wanted.split("|"))


def _value(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


def chosen(messages: Sequence[ScriptMessage]) -> list[ScriptMessage]:
    """Return the messages that the baselines get."""
    return [each for each in messages if each.compare]

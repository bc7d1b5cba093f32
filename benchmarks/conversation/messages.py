"""The messages of the conversation measure, with what is expected of each answer."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.results import ROOT

DATA = ROOT / "benchmarks" / "data" / "conversation"
Half = Literal["dev", "dev_two", "held_out", "review"]
# Users who tell much over several sessions, and ask for it in sum.
SummaryHalf = Literal["about_oneself_dev", "about_oneself_held_out"]
Documents = Literal["office", "manual", "club", "cost-analysis"]
Kind = Literal[
    "greeting",
    "thanks",
    "who_are_you",
    "statement",
    "self_now",
    "self_later",
    "correction",
    "forget",
    "dont_remember",
    "know_about_me",
    "self_summary",
    "paraphrase",
    "cell",
    "list",
    "count",
    "follow_up",
    "two_part",
    "cross_language",
    "unanswerable",
    "arithmetic",
    "history",
    "remark",
    "rudeness",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
# The conversation itself, and what the user said about themselves.
SOCIAL: frozenset[Kind] = frozenset(KINDS[: KINDS.index("paraphrase")])
ABOUT_ONESELF: frozenset[Kind] = frozenset(
    {"self_now", "self_later", "know_about_me", "self_summary"}
)
FOLDERS: dict[Documents, Path] = {
    "office": DATA / "documents" / "office",
    "manual": DATA / "documents" / "manual",
    "club": DATA / "documents" / "club",
    "cost-analysis": ROOT / "examples" / "cost-analysis" / "documents",
}

Alternatives = Annotated[tuple[str, ...], Field(min_length=1)]
"""Regular expressions of which one must match."""


class Expectation(BaseModel):
    """What an answer must and must not have; README.md of the data explains each field."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    must: tuple[Alternatives, ...] = ()
    first: tuple[Alternatives, ...] = ()
    rivals: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    cites: tuple[str, ...] | None = None
    refuses: bool = False


class Message(Expectation):
    """A message of a user at a time. `forgets` are words that no later answer may repeat."""

    id: str
    user: str
    documents: Documents
    session: str
    at: datetime
    language: Literal["ko", "en"]
    kind: Kind
    message: str
    forgets: tuple[str, ...] = ()


def read(half: Half | SummaryHalf) -> list[Message]:
    """Returns the messages of a half in the order in which they are sent."""
    lines = (DATA / f"{half}.jsonl").read_text("utf-8").splitlines()
    return [Message.model_validate(json.loads(line)) for line in lines]


def files(documents: Documents) -> dict[str, str]:
    """Returns the texts of a document set by file name."""
    paths = sorted(FOLDERS[documents].iterdir())
    return {path.name: path.read_text("utf-8") for path in paths}

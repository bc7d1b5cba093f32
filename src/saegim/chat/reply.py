"""A settled turn as its caller sees it."""

from collections.abc import Mapping
from typing import Any

from saegim.chat.types import Reply
from saegim.conversations.types import Turn

SUMMARY_CHARACTERS = 150


def summarise(answer: str) -> str:
    """The answer cut at 150 characters, at a space where there is one, then '...' (WM7)."""
    text = " ".join(answer.split())
    if len(text) <= SUMMARY_CHARACTERS:
        return text
    cut = text[:SUMMARY_CHARACTERS]
    if text[SUMMARY_CHARACTERS] != " " and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + "..."


def reply_of(turn: Turn, trace: Mapping[str, Any]) -> Reply:
    """The reply of a turn, with what its trace says of how it came about."""
    answer = turn.reply or ""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    used: Mapping[str, Any] = trace.get("answer") or {}
    return Reply(
        turn=turn.id,
        session=turn.session,
        state=turn.state,
        answer=answer,
        summary=summarise(answer),
        refs=tuple(trace.get("refs", ())),
        ref_doc_ids=tuple(trace.get("ref_doc_ids", ())),
        related_doc_ids=tuple(trace.get("related", ())),
        degraded=tuple(trace.get("degraded", ())),
        error=turn.error,
        route=trace.get("route", "general"),
        outcome=used.get("outcome", "answered"),
        citations=tuple(trace.get("citations", ())),
        entities=dict(routing.get("hints", {})),
    )

"""A settled turn as its caller sees it."""

from collections.abc import Sequence

from saegim.chat.types import Reply
from saegim.domain.turn import Turn

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


def reply_of(turn: Turn, degraded: Sequence[str] = ()) -> Reply:
    answer = turn.reply or ""
    return Reply(
        turn=turn.id,
        session=turn.session,
        state=turn.state,
        answer=answer,
        summary=summarise(answer),
        degraded=tuple(degraded),
        error=turn.error,
    )

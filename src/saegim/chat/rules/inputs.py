"""Gather what the rules need: the user's statements, suggestions, and the effect of requests."""

import asyncio
import operator
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.chat.context.assembly import Thread
from saegim.chat.rules.about_user import (
    UserStatement,
    answering,
    asks_for_everything,
    current,
    meant_by,
)
from saegim.chat.rules.intents import Intent, Reading, read
from saegim.chat.rules.replies import ABOUT_DOCUMENT, RuleInputs
from saegim.conversations.types import Turn
from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Caller
from saegim.library.service import Library, title_of
from saegim.library.types import DocumentFilter
from saegim.llm.ports import Embedder
from saegim.locales import translate
from saegim.memory.requests import MemoryRequests
from saegim.memory.types import Record
from saegim.text.analysis import language

SUGGESTIONS = 3
_LISTED = 60
_CHOSEN = 12
_EMBED_SECONDS = 2.0


async def gather_inputs(
    requests: MemoryRequests,
    library: Library,
    caller: Caller,
    turn: Turn,
    thread: Thread,
    reading: Reading,
    now: datetime,
    time_zone: str,
) -> RuleInputs:
    """Return the inputs of the rules; a request to forget or restore is carried out here."""
    inputs = RuleInputs(reading, now.astimezone(ZoneInfo(time_zone)))
    if reading.intent in (Intent.GREETING, Intent.IDENTITY):
        return replace(inputs, suggestions=await _suggestions(library, caller, turn.message))
    if reading.intent is Intent.UNDO:
        asked = thread.recent and read(thread.recent[-1].message).intent is Intent.FORGET
        changed = await requests.restore(turn.scope) if asked else 0
        return replace(inputs, changed=changed)
    if not reading.intent.reads_memory and reading.intent is not Intent.FORGET:
        return inputs
    records = await requests.known(turn.scope, turn.session)
    if records is None:
        return replace(inputs, known=None)
    known = tuple(map(_statement, records))
    if reading.intent is not Intent.FORGET:
        return replace(inputs, known=known)
    everything = asks_for_everything(turn.message)
    meant = known if everything else meant_by(turn.message, known)
    chosen = [UUID(each.id) for each in meant if each.id is not None]
    return replace(inputs, known=known, changed=await requests.forget(turn.scope, chosen, turn.id))


def chosen_records(inputs: RuleInputs, message: str) -> tuple[UUID, ...]:
    """Return the records that the reply will quote, so that recall puts them into the context."""
    known = inputs.known or ()
    if inputs.reading.intent is Intent.PROFILE:
        meant = current(known)
    elif inputs.reading.intent is Intent.ABOUT_SELF:
        meant = answering(inputs.reading.question or message, known)
    else:
        return ()
    return tuple(UUID(each.id) for each in meant[:_CHOSEN] if each.id is not None)


async def similarities(embedder: Embedder, text: str, others: Sequence[str]) -> dict[str, float]:
    """Return the similarity of each text to the first: 0 unrelated, 1 matching; {} if it fails."""
    if not others:
        return {}
    try:
        async with asyncio.timeout(_EMBED_SECONDS):
            [asked] = await embedder.embed([text], "query")
            vectors = await embedder.embed(list(others), "document")
    except (TimeoutError, ModelUnavailable):
        return {}
    scale = embedder.scale
    return {
        other: scale.similarity(sum(map(operator.mul, asked, vector)))
        for other, vector in zip(others, vectors, strict=True)
    }


def _statement(record: Record) -> UserStatement:
    return UserStatement(record.content, record.said_at, record.topic, str(record.id))


async def _suggestions(library: Library, caller: Caller, message: str) -> tuple[str, ...]:
    """Return questions that the documents answer: of FAQs, else about titles."""
    locale = language(message)
    listed = await library.listed(caller, DocumentFilter(count=_LISTED))
    titles = [title_of(each.document, "") for each in listed]
    titles = [title for title in dict.fromkeys(titles) if title]
    same = [title for title in titles if language(title) == locale] or titles
    questions = [title for title in same if title.endswith(("?", "？"))]
    others = [
        translate(ABOUT_DOCUMENT, locale, title=title) for title in same if title not in questions
    ]
    # One question of an FAQ at most half of the time: the other documents are suggested too.
    mixed = [*questions[:2], *others, *questions[2:]]
    return tuple(mixed[:SUGGESTIONS])

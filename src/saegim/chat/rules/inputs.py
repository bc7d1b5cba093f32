"""Gather what the rules need: the user's statements, suggestions, and the effect of requests."""

import asyncio
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from uuid import UUID

from saegim.chat.context.thread import Thread
from saegim.chat.rules.about_user import (
    SAID_BEFORE,
    UserStatement,
    answering,
    asks_for_everything,
    current,
    in_order,
    meant_by,
)
from saegim.chat.rules.conclusions import (
    asks_for_summary,
    concluded,
    profile_first,
    statement_of,
)
from saegim.chat.rules.intents import Interpretation, read
from saegim.chat.rules.message_meanings import UNDECIDED, by_meaning
from saegim.chat.rules.types import RuleInputs
from saegim.chat.suggestions import starter_of
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import Turn
from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Caller
from saegim.library.documents import Documents
from saegim.llm.ports import Embedder
from saegim.memory.requests import MemoryRequests
from saegim.memory.rules.meanings import meanings_of
from saegim.memory.synthesis.service import Synthesis
from saegim.memory.synthesis.types import DerivedKind
from saegim.text.analysis import language
from saegim.text.intents import Intent

SUGGESTIONS = 3
_LISTED = 60
_CHOSEN = 12
_EMBED_SECONDS = 5.0
_COMPARED = 40
# How alike a request to forget and a statement are, and how much more than the next one.
_LEAST_NAMED, _LEAD = 0.5, 0.05


@dataclass(frozen=True, eq=False)
class RuleServices:
    """What rules read and change: the user's memory, the documents, the conversation."""

    requests: MemoryRequests
    documents: Documents
    turns: PostgresTurns
    embedder: Embedder
    synthesis: Synthesis

    async def interpret(self, message: str) -> Interpretation:
        """Recognise the intent of a message: by patterns, else by meaning."""
        reading = read(message)
        if reading.intent not in UNDECIDED:
            return reading
        return by_meaning(message, reading, await meanings_of(self.embedder, message))

    async def inputs(
        self, caller: Caller, turn: Turn, thread: Thread, reading: Interpretation, now: datetime
    ) -> RuleInputs:
        """Return the inputs of the rules; a request to forget or restore is carried out here."""
        inputs, scope = RuleInputs(reading, now), turn.scope
        match reading.intent:
            case Intent.GREETING | Intent.IDENTITY:
                return replace(inputs, suggestions=await self._suggestions(caller, turn.message))
            case Intent.HISTORY if not asks_for_summary(turn.message):
                first = await self.turns.turns(scope, turn.session, 0, 1)
                return replace(inputs, first_message=first[0].exchange().message if first else "")
            case Intent.UNDO:
                asked = thread.recent and read(thread.recent[-1].message).intent is Intent.FORGET
                changed = await self.requests.restore(scope) if asked else 0
                return replace(inputs, changed=changed)
            case Intent.FORGET:
                return await self._forget(inputs, turn)
            case _ if reading.reads_memory:
                return await self._known(inputs, turn)
            case _ if asks_for_summary(turn.message):
                return await self._known(inputs, turn)
            case _:
                return inputs

    async def _known(self, inputs: RuleInputs, turn: Turn) -> RuleInputs:
        """Add what the user said, and what was concluded if the message asks for that."""
        records = await self.requests.known(turn.scope, turn.session)
        if records is None:
            return replace(inputs, known=None)
        inputs = replace(inputs, known=tuple(map(statement_of, records)))
        if asks_for_summary(turn.message):
            known = await self.synthesis.known(turn.scope, whole=True)
            inputs = replace(inputs, concluded=concluded(turn.message, known, inputs.now))
        if inputs.reading.intent is Intent.PROFILE and not inputs.concluded:
            profile = await self.synthesis.known(turn.scope, (DerivedKind.PROFILE,))
            return replace(inputs, known=tuple(profile_first(inputs.known or (), profile)))
        return inputs

    async def _forget(self, inputs: RuleInputs, turn: Turn) -> RuleInputs:
        known = tuple(map(statement_of, await self.requests.stored(turn.scope)))
        everything = asks_for_everything(turn.message)
        meant = known if everything else meant_by(turn.message, known)
        if not meant:
            meant = await self._nearest(turn.message, known)
        chosen = [UUID(each.id) for each in meant if each.id is not None]
        changed = await self.requests.forget(turn.scope, chosen, turn.id)
        return replace(inputs, known=known, changed=changed)

    async def _nearest(self, request: str, known: Sequence[UserStatement]) -> list[UserStatement]:
        """Return the statement that a request names in other words, if one is clearly nearest."""
        newest = current(known)[:_COMPARED]
        near = await self.similarities([request], [each.text for each in newest])
        by_similarity = sorted(newest, key=lambda each: -near.get(each.text, 0.0))
        scores = [near.get(each.text, 0.0) for each in by_similarity]
        if not scores or scores[0] < _LEAST_NAMED:
            return []
        return by_similarity[:1] if len(scores) == 1 or scores[0] - scores[1] > _LEAD else []

    async def _suggestions(self, caller: Caller, message: str) -> tuple[str, ...]:
        """Return questions that the documents answer."""
        locale = language(message)
        found = await self.documents.suggested(caller, SUGGESTIONS, locale)
        return tuple(starter_of(each, locale) for each in found)

    async def similarities(
        self, questions: Sequence[str], others: Sequence[str]
    ) -> dict[str, float]:
        """Return the mean similarity of each text to the questions: 0 unrelated, 1 matching.

        {} if the embedder fails.
        """
        if not others:
            return {}
        try:
            async with asyncio.timeout(_EMBED_SECONDS):
                asked = await self.embedder.embed(list(questions), "query")
                vectors = await self.embedder.embed(list(others), "document")
        except (TimeoutError, ModelUnavailable):
            return {}
        scale = self.embedder.scale
        return {
            other: fmean(scale.similarity(sum(map(operator.mul, each, vector))) for each in asked)
            for other, vector in zip(others, vectors, strict=True)
        }


def chosen_records(inputs: RuleInputs, message: str) -> tuple[UUID, ...]:
    """Return the records that the reply will quote, so that recall puts them into the context."""
    known = inputs.known or ()
    if inputs.interpretation is None:
        return ()
    if inputs.concluded:
        meant = [each.statement for each in inputs.concluded]
    elif inputs.reading.intent is Intent.PROFILE:
        meant = in_order(current(known), known)
    elif inputs.reading.intent is Intent.ABOUT_SELF:
        meant = answering(inputs.reading.question or message, known, least=SAID_BEFORE)
    else:
        return ()
    return tuple(UUID(each.id) for each in meant[:_CHOSEN] if each.id is not None)

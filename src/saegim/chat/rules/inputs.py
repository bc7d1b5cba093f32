"""Gather what the rules need: the user's statements, suggestions, and the effect of requests."""

import asyncio
import operator
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from uuid import UUID

from saegim.chat.context.assembly import Thread
from saegim.chat.rules.about_user import (
    SAID_BEFORE,
    answering,
    asks_for_everything,
    current,
    in_order,
    meant_by,
    named_in,
    names_nothing,
)
from saegim.chat.rules.conclusions import (
    asks_for_summary,
    concluded,
    profile_first,
    statement_of,
)
from saegim.chat.rules.intents import Interpretation, read
from saegim.chat.rules.replies import (
    PROPOSE_TO_FORGET,
    PROPOSE_TO_LEAVE_OUT,
    listed,
)
from saegim.chat.rules.types import RuleInputs
from saegim.chat.suggestions import starter_of
from saegim.chat.types import Effect, EffectKind
from saegim.chat.understanding import depends_on_thread, refers_back
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import OpenTurn, Turn
from saegim.domain.errors import ModelUnavailable, NotFound
from saegim.domain.scope import Caller
from saegim.library.documents import Documents
from saegim.llm.ports import Embedder
from saegim.locales import translate
from saegim.memory.proposals import Proposal, RequestKind, agrees, besides_request, request_in
from saegim.memory.requests import MemoryRequests
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.rules.facts import facts_in
from saegim.memory.rules.meanings import Meanings, meanings_of
from saegim.memory.synthesis.service import Synthesis
from saegim.memory.synthesis.types import DerivedKind
from saegim.text.analysis import language
from saegim.text.intents import LIKELY, SURE, Intent, likeliest

_TALK = (
    Intent.GREETING,
    Intent.THANKS,
    Intent.FAREWELL,
    Intent.IDENTITY,
    Intent.REMARK,
    Intent.COMPLAINT,
    Intent.HISTORY,
    Intent.PROFILE,
)
UNDECIDED = (Intent.QUESTION, Intent.ABOUT_SELF, Intent.STATEMENT)


def by_meaning(
    message: str, reading: Interpretation, meanings: Meanings, facts: Set[str] | None
) -> Interpretation:
    """Return what a message means, if patterns found nothing but a question or a statement."""
    undecided = reading.intent in UNDECIDED and not refers_back(message)
    if not undecided or message not in meanings:
        return reading
    best, score = likeliest(meanings[message].scores)
    found = tuple(each.content for each in extract_statements(message, facts=facts))
    if best is Intent.STATEMENT and score >= LIKELY and found and not reading.question:
        return Interpretation(best, found)
    if reading.intent is Intent.STATEMENT and not found:
        reading = Interpretation(Intent.QUESTION)
    reading = replace(reading, statements=found if reading.statements else ())
    least = SURE if depends_on_thread(message) or reading.statements else LIKELY
    if best in _TALK and score >= least:
        return Interpretation(best)
    if best is Intent.ABOUT_SELF and score >= LIKELY and reading.intent is not Intent.STATEMENT:
        return replace(
            reading,
            intent=best,
            question=reading.question or message,
            asks_memory=reading.asks_memory or score >= SURE,
        )
    return reading


SUGGESTIONS = 3
_CHOSEN = 12
_EMBED_SECONDS = 5.0
_COMPARED = 40


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
        meanings = await meanings_of(self.embedder, message)
        return by_meaning(message, reading, meanings, await self._facts(message))

    async def _facts(self, message: str) -> Set[str] | None:
        try:
            async with asyncio.timeout(_EMBED_SECONDS):
                return await facts_in(self.embedder, message)
        except (TimeoutError, ModelUnavailable):
            return None

    async def inputs(
        self, caller: Caller, turn: Turn, reading: Interpretation, now: datetime
    ) -> RuleInputs:
        """Return the inputs of the rules; a request to undo is prepared."""
        inputs, scope = RuleInputs(reading, now), turn.scope
        match reading.intent:
            case Intent.GREETING | Intent.IDENTITY:
                return replace(inputs, suggestions=await self._suggestions(caller, turn.message))
            case Intent.HISTORY if not asks_for_summary(turn.message):
                first = await self.turns.turns(scope, turn.session, 0, 1)
                return replace(inputs, first_message=first[0].exchange().message if first else "")
            case Intent.UNDO:
                return await self._restored(inputs, turn)
            case _ if reading.reads_memory:
                return await self._known(inputs, turn)
            case _ if asks_for_summary(turn.message):
                return await self._known(inputs, turn)
            case _:
                return inputs

    async def _restored(self, inputs: RuleInputs, turn: Turn) -> RuleInputs:
        """Prepare to take back the last change of memory."""
        found = await self.requests.changes.undoable(turn, None)
        if found is None:
            return replace(inputs, changed=())
        undo, statements = found
        effect = Effect(EffectKind.UNDONE, undo.of, None, " · ".join(statements))
        return replace(inputs, changed=tuple(statements), effects=(effect,), changes=(undo,))

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

    async def agreed(self, opened: OpenTurn, thread: Thread, now: datetime) -> RuleInputs | None:
        """Prepare what the turn before proposed if the message is a clear yes."""
        turn = opened.turn
        if not agrees(turn.message):
            return None
        asked_in = turn.parent
        if asked_in is None and opened.inputs.history and thread.recent:
            # A client that sends its own history starts a session with each message.
            last = await self.turns.last_before(turn)
            if last is not None and last.message == thread.recent[-1].message:
                asked_in = last.id
        if asked_in is None:
            return None
        try:
            proposed = (await self.turns.trace(turn.scope, asked_in)).get("proposal")
        except NotFound:
            return None
        if not proposed:
            return None
        changes, gone = await self.requests.proposed(turn.scope, asked_in, proposed)
        left_out = proposed["turn"] is not None
        kind = EffectKind.LEFT_OUT if left_out else EffectKind.FORGOTTEN
        effects = tuple(Effect(kind, each, None, "" if left_out else gone[each]) for each in gone)
        changed = tuple(dict.fromkeys(gone.values()))
        forget = RuleInputs(Interpretation(Intent.FORGET), now, changed=changed, effects=effects)
        return replace(forget, changes=tuple(changes))

    async def propose(self, opened: OpenTurn, thread: Thread) -> Proposal | None:
        """Return what a message that looks like a request, or an undo of the one before, may mean.

        Forgetting needs no consent; a message is left out only where memory learns.
        """
        turn, message = opened.turn, opened.turn.message
        known_of = self.requests.changes.retraction.sources.records_of
        before = [turn.parent or turn.id]
        undoes = read(message).intent is Intent.UNDO and await known_of(turn.scope, before)
        request = RequestKind.LEAVE_OUT if undoes else request_in(message)
        if request is None or not opened.inputs.controls.memory:
            return None
        locale = language(message)
        if (is_before := undoes or names_nothing(message)) or request is RequestKind.LEAVE_OUT:
            if not await self.requests.consents.allows(turn.scope, turn.session):
                return None
            quoted, left_out = message, turn.id
            if is_before:
                quoted, left_out = thread.recent[-1].message if thread.recent else "", turn.parent
            if left_out is None or not quoted or request_in(quoted) not in (None, request):
                return None
            text = translate(PROPOSE_TO_LEAVE_OUT, locale, message=listed([quoted]))
            return Proposal(RequestKind.LEAVE_OUT, text, turn=left_out)
        stored = self.requests.records
        known = tuple(map(statement_of, await stored.browse_all(turn.scope)))
        newest = [each.text for each in current(known)[:_COMPARED]]
        similar = await self.similarities([named_in(message)], newest)
        meant = known if asks_for_everything(message) else meant_by(message, known, similar)
        if not meant:
            return None
        records = tuple(UUID(each.id) for each in meant if each.id is not None)
        others = await stored.going_with(turn.scope, records)
        going = dict.fromkeys([*(each.text for each in meant), *(each.content for each in others)])
        text = translate(PROPOSE_TO_FORGET, locale, statements=listed(list(going)))
        return Proposal(request, text, records, alone=not besides_request(message))

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
    if inputs.concluded:
        meant = [each.statement for each in inputs.concluded]
    elif inputs.reading.intent is Intent.PROFILE:
        meant = in_order(current(known), known)
    elif inputs.reading.intent is Intent.ABOUT_SELF:
        meant = answering(inputs.reading.question or message, known, least=SAID_BEFORE)
    else:
        return ()
    return tuple(UUID(each.id) for each in meant[:_CHOSEN] if each.id is not None)

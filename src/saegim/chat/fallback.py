"""The fallback of a turn: reads the message before the search, and replies from what was found.

What it reads and writes is in `offline`; here are the services that this takes.
"""

import asyncio
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from typing import Literal
from uuid import UUID

from saegim.chat.agreement import AgreedChange
from saegim.chat.context.assembly import Context, Thread
from saegim.chat.context.evidence import RetrievedContext, unmarked
from saegim.chat.routing import FEW_WORDS
from saegim.chat.suggestions import starter_of
from saegim.chat.types import (
    NOTHING_FOUND,
    NOTHING_READY,
    AssistantConfig,
    Effect,
    EffectKind,
    Evidence,
    EvidenceKind,
    marker,
)
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import ELLIPSIS, OpenTurn, Turn
from saegim.domain.errors import ModelUnavailable, Unavailable
from saegim.domain.scope import Caller, Locale
from saegim.library.documents import Documents
from saegim.library.types import FoundPassage
from saegim.llm.ports import Embedder
from saegim.locales import N_, translate
from saegim.memory.proposals import Proposal, RequestKind
from saegim.memory.requests import MemoryRequests
from saegim.memory.turn_changes import TurnChange
from saegim.memory.types import MemoryType, Origin, Record, Statement
from saegim.offline import texts
from saegim.offline.documents import SourcePassage
from saegim.offline.heads import REQUESTS, MessageKind, MessageReading, read, telling_sentences
from saegim.offline.replies import (
    OfflineTask,
    acknowledged,
    compared_texts,
    listed,
    reply,
)
from saegim.offline.statements import SaidSentence, meant
from saegim.text.analysis import language, sentences
from saegim.text.questions import LONGEST_QUESTION, is_question

MENU = N_("These pages may help:")
SUGGESTIONS = 3
MOST_NOTES = 4
NOTE_IMPORTANCE = 0.5
_COMPARED, _CHOSEN = 40, 15
_EMBED_SECONDS = 5.0
_MOST_JUDGED = 12

Outcome = Literal["answered", "nothing_ready", "nothing_found"]
_KINDS = {RequestKind.FORGET: MessageKind.FORGET, RequestKind.LEAVE_OUT: MessageKind.LEAVE_OUT}


@dataclass(frozen=True, slots=True)
class FallbackInputs:
    """What was prepared before the search.

    `reading` is None if a model answers. `changed` is what the message makes memory forget or
    restore, None if it is no such request, `effects` that as the reply shows it, and `changes` what
    does it. `known` are the records of the user, the newest first; None if memory is off.
    """

    reading: MessageReading | None
    now: datetime
    name: str = ""
    changed: tuple[str, ...] | None = None
    effects: tuple[Effect, ...] = ()
    changes: tuple[TurnChange, ...] = ()
    proposal: Proposal | None = None
    noted: tuple[str, ...] = ()
    known: tuple[Record, ...] | None = ()
    asked: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    chosen: tuple[UUID, ...] = ()
    """The records that the reply lists, so that recall puts them into the context."""


@dataclass(frozen=True, slots=True)
class FallbackTask:
    """A message with its context, of which the fallback replies."""

    inputs: FallbackInputs
    context: Context
    gathered: RetrievedContext
    config: AssistantConfig
    searched: bool
    opened: bool


@dataclass(frozen=True, slots=True)
class FallbackReply:
    text: str
    outcome: Outcome = "answered"


@dataclass(frozen=True, eq=False)
class Fallback:
    """What the fallback reads and changes: the user's memory, the documents, the conversation."""

    requests: MemoryRequests
    documents: Documents
    turns: PostgresTurns
    embedder: Embedder

    # --- before the search ---

    async def read(self, message: str) -> MessageReading:
        return await read(self.embedder, message)

    def of_agreement(self, agreed: AgreedChange, message: str, now: datetime) -> FallbackInputs:
        """Return the inputs of a yes to a proposal."""
        reading = MessageReading(_KINDS[agreed.request], message)
        return FallbackInputs(
            reading,
            now,
            changed=agreed.statements,
            effects=agreed.effects,
            changes=agreed.changes,
        )

    async def inputs(
        self,
        caller: Caller,
        opened: OpenTurn,
        thread: Thread,
        inputs: FallbackInputs,
        *,
        learns: bool,
    ) -> FallbackInputs:
        """Prepare what the kind of the message needs: notes, a proposal, an undo, suggestions."""
        turn, reading = opened.turn, inputs.reading
        assert reading is not None, "only a message without a model is prepared"
        match reading.kind:
            case MessageKind.GREETING | MessageKind.IDENTITY:
                return replace(
                    inputs,
                    suggestions=await self._suggestions(caller, turn.message),
                    asked=_asked(thread),
                )
            case MessageKind.HISTORY:
                first = await self.turns.turns(turn.scope, turn.session, 0, 1)
                earlier = [each.exchange().message for each in first if each.id != turn.id]
                asked = dict.fromkeys((*earlier, *_asked(thread)))
                return replace(inputs, asked=tuple(filter(None, asked)))
            case MessageKind.PROFILE:
                known = await self.requests.known(turn.scope, turn.session)
                chosen = tuple(each.id for each in (known or ())[:_CHOSEN])
                return replace(inputs, known=known, chosen=chosen)
            case MessageKind.UNDO:
                return await self._undone(inputs, turn)
            case MessageKind.FORGET if opened.inputs.controls.memory:
                inputs = replace(inputs, proposal=await self._to_forget(turn, reading))
            case MessageKind.LEAVE_OUT if learns:
                return replace(inputs, proposal=await self._to_leave_out(turn))
            case _:
                pass
        return await self._noted(inputs, turn) if reading.notes and learns else inputs

    async def _noted(self, inputs: FallbackInputs, turn: Turn) -> FallbackInputs:
        """Prepare notes in the person's words, which a later extraction replaces."""
        notes = inputs.reading.notes[:MOST_NOTES] if inputs.reading else ()
        changes: list[TurnChange] = []
        effects: list[Effect] = []
        noted: list[str] = []
        for number, note in enumerate(notes, start=1):
            statement = Statement(MemoryType.NOTE, note, NOTE_IMPORTANCE)
            try:
                change = await self.requests.changes.remember(
                    turn, number, statement, note, origin=Origin.FALLBACK
                )
            except ModelUnavailable:
                return inputs
            changes.append(change)
            # What is stored, and shown, has no phone numbers and the like.
            noted.append(change.new.statement.content)
            if change.known is None:
                effects.append(Effect(EffectKind.REMEMBERED, change.record, None, noted[-1]))
        return replace(inputs, noted=tuple(noted), changes=tuple(changes), effects=tuple(effects))

    async def _undone(self, inputs: FallbackInputs, turn: Turn) -> FallbackInputs:
        """Prepare to take back the last change of memory."""
        found = await self.requests.changes.undoable(turn, None)
        if found is None:
            return replace(inputs, changed=())
        undo, statements = found
        effect = Effect(EffectKind.UNDONE, undo.of, None, " · ".join(statements))
        return replace(inputs, changed=tuple(statements), effects=(effect,), changes=(undo,))

    async def _to_forget(self, turn: Turn, reading: MessageReading) -> Proposal | None:
        """Return a proposal to forget the records that a request means: those near it, else what
        the turn before remembered. Forgetting needs no consent."""
        request, stored = turn.message[:LONGEST_QUESTION], self.requests.records
        records = [each for each in await stored.browse_all(turn.scope) if not each.is_digest]
        said = [SaidSentence(each.content, each.said_at, id=str(each.id)) for each in records]
        newest = [each.text for each in said[:_COMPARED]]
        similar = await self.similarities([request], newest)
        wanted = {each.id for each in meant(request, said, similar)}
        chosen = [each for each in records if str(each.id) in wanted]
        chosen = chosen or [each for each in records if turn.parent in each.sources]
        if not chosen:
            return None
        ids = tuple(each.id for each in chosen)
        others = await stored.going_with(turn.scope, ids)
        going = dict.fromkeys(each.content for each in (*chosen, *others))
        text = translate(
            texts.PROPOSE_TO_FORGET, language(turn.message), statements=listed(list(going))
        )
        return Proposal(RequestKind.FORGET, text, ids, alone=not reading.notes)

    async def _to_leave_out(self, turn: Turn) -> Proposal:
        """Return a proposal to leave out this message; or, if it is a single sentence, the one
        before it of which something was remembered."""
        of = turn
        if turn.parent is not None and len(sentences(turn.message)) == 1:
            before = await self.turns.find(turn.scope, turn.parent)
            if any(each["kind"] == EffectKind.REMEMBERED for each in before.effects):
                of = before
        message = listed([of.exchange().message if of is not turn else turn.message])
        text = translate(texts.PROPOSE_TO_LEAVE_OUT, language(turn.message), message=message)
        return Proposal(RequestKind.LEAVE_OUT, text, turn=of.id)

    async def _suggestions(self, caller: Caller, message: str) -> tuple[str, ...]:
        """Return questions that the documents answer."""
        locale = language(message)
        found = await self.documents.suggested(caller, SUGGESTIONS, locale)
        return tuple(starter_of(each, locale) for each in found)

    # --- behind the search ---

    async def reply(self, task: FallbackTask) -> FallbackReply:
        """Reply from what was found; a model that failed cannot change memory."""
        reading = task.inputs.reading
        failed = reading is None
        if reading is None:
            reading = await self.read(task.context.message[:LONGEST_QUESTION])
        said = await self._said(task) if reading.about_self else ()
        offline = _offline(task, reading, said, failed=failed)
        if failed and reading.kind in REQUESTS:
            return FallbackReply(offline.say(Unavailable.text))
        if failed and reading.kind is MessageKind.PROFILE:
            # Only a part of the records was read.
            return FallbackReply(offline.say(texts.NEEDS_MODEL_NOW))
        questions = [reading.question]
        if earlier := _earlier(task.context):
            questions.append(f"{earlier}\n{reading.question}")
        similar = await self.similarities(questions, compared_texts(offline))
        text = reply(replace(offline, similar=similar))
        proposal = task.inputs.proposal
        if proposal is not None and proposal.request is RequestKind.FORGET:
            text = proposal.text
            if offline.noted:
                text = f"{acknowledged(offline)}\n\n{text}"
        if text is not None:
            # Lines that are only close are a gap in the documents.
            is_gap = not offline.facts and offline.say(texts.CLOSEST) in text
            return FallbackReply(text, "nothing_found" if is_gap else "answered")
        return _nothing_found(task, offline)

    async def _said(self, task: FallbackTask) -> list[SaidSentence]:
        """Return what the person said: records, and sentences of turns that may tell something."""
        context, memory = task.context, task.gathered.memory
        candidates = (*memory.pinned, *memory.profile, *memory.recalled)
        days = {str(each.id): each.said_at for each in candidates}
        said: list[SaidSentence] = []
        for each in context.memories:
            at = days.get(each.id, task.inputs.now)
            if each.team:
                continue
            if each.turn is None:
                said.append(SaidSentence(unmarked(each.said), at, each.marker, each.id))
            else:
                said += _sentences(each.said, at, each.marker)
        for turn in context.thread.recent:
            said += _sentences(turn.message, turn.at, marker(EvidenceKind.TURN, turn.number))
        spoken = [each.text for each in said if each.id is None][:_MOST_JUDGED]
        telling = {*await telling_sentences(self.embedder, spoken)}
        return [each for each in said if each.id is not None or each.text in telling]

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


def _asked(thread: Thread) -> tuple[str, ...]:
    return tuple(each.message for each in thread.recent if each.message)


def _offline(
    task: FallbackTask, reading: MessageReading, said: Sequence[SaidSentence], *, failed: bool
) -> OfflineTask:
    inputs, context, findings = task.inputs, task.context, task.gathered.findings
    memories = {each.id: each.marker for each in context.memories}
    known = [
        SaidSentence(each.content, each.said_at, memories.get(str(each.id)), str(each.id))
        for each in inputs.known or ()
    ]
    thresholds = task.config.thresholds
    first = next(iter(context.passages), None)
    # Confidence counts shared words, which another language does not have.
    other_language = first is not None and language(first.text) != language(context.message)
    is_confident = findings.confidence >= thresholds.confidence or other_language
    return OfflineTask(
        reading=reading,
        message=context.message,
        now=inputs.now,
        name=inputs.name,
        said=None if task.gathered.memory.off else tuple(said),
        known=tuple(known),
        passages=_passages(task) if reading.kind.searches or not failed else (),
        facts=tuple(
            f"{unmarked(each.evidence.text)} [{each.evidence.marker}]"
            for each in context.found.evidence
            if each.evidence.kind is EvidenceKind.TOOL
        ),
        asked=_asked(context.thread) if failed else inputs.asked,
        suggestions=tuple(map(unmarked, inputs.suggestions)),
        changed=inputs.changed,
        noted=inputs.noted,
        may_be_sure=is_confident and not _earlier(context),
        opened=task.opened,
        failed=failed,
    )


def _sentences(text: str, at: datetime, cited: str) -> list[SaidSentence]:
    """Return the sentences of a message that ask nothing; "…" stands for what was redacted."""
    parts = sentences(unmarked(text).replace(ELLIPSIS, "…"))
    return [SaidSentence(each, at, cited) for each in parts if not is_question(each)]


def _passages(task: FallbackTask) -> tuple[SourcePassage, ...]:
    found: dict[str, FoundPassage] = {
        str(each.passage.id): each for each in task.gathered.findings.ranked
    }
    best = max((each.signals.score for each in found.values()), default=0.0) or 1.0
    passages = (
        _passage(evidence, found.get(evidence.id), best) for evidence in task.context.passages
    )
    # Nobody else's words are the person's own: what the team shares is quoted like a document.
    shared = (_passage(each, None, best) for each in task.context.memories if each.team)
    return (*shared, *passages)


def _passage(evidence: Evidence, found: FoundPassage | None, best: float) -> SourcePassage:
    rank = max(0.0, found.signals.score / best) if found else 0.5
    path = [heading for heading in (found.path if found else ()) if heading != evidence.title]
    title, headings = unmarked(evidence.title), unmarked(" › ".join(path))
    return SourcePassage(evidence.marker, title, headings, unmarked(evidence.text), rank)


def _earlier(context: Context) -> str:
    """Return the message before a short one, which may go on from it."""
    recent = context.thread.recent
    is_short = len(context.message.split()) < FEW_WORDS
    return recent[-1].message if is_short and recent and recent[-1].doc_ids else ""


def _nothing_found(task: FallbackTask, offline: OfflineTask) -> FallbackReply:
    findings = task.gathered.findings
    is_empty = task.searched and findings.consulted and not findings.ranked
    lead = f"{offline.say(texts.NEEDS_MODEL_NOW)}\n\n" if offline.failed else ""
    if is_empty:
        return FallbackReply(lead + offline.say(NOTHING_READY), "nothing_ready")
    return FallbackReply(lead + no_documents(offline.locale, task.config), "nothing_found")


def no_documents(locale: Locale, config: AssistantConfig) -> str:
    """Return the sentence that no document was found, with the assistant's links."""
    if not config.menu_links:
        return translate(NOTHING_FOUND, locale)
    return f"{translate(NOTHING_FOUND, locale)} {translate(MENU, locale)}\n\n{help_links(config)}"


def help_links(config: AssistantConfig) -> str:
    """List where a person finds help."""
    return "\n".join(f"- [{link.label}]({link.url})" for link in config.menu_links)

"""Tools that recall and change what is remembered of the user.

Changes are previews: they are applied when the turn settles, and none if it fails.
"""

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import Field

from saegim.chat.context import evidence
from saegim.chat.turn_tools.types import ToolAnswer, ToolArguments, TurnTool, TurnWork, tool
from saegim.chat.types import Effect, EffectKind, EvidenceKind
from saegim.domain.errors import ModelUnavailable, OptionalServiceDown
from saegim.llm.ports import Embedder
from saegim.locales import translate
from saegim.memory.candidate import PERSON, Day, begins, ends, own_wording
from saegim.memory.extraction.changes import says_the_same
from saegim.memory.proposals import Proposal, RequestKind
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import (
    CandidateKind,
    RecallCandidate,
    RecallLimits,
    RecallRequest,
    RecallSignals,
)
from saegim.memory.repository import PostgresRecords
from saegim.memory.turn_changes import Forget, Remember, TurnChange, TurnChanges, Undo
from saegim.memory.types import Filters, MemoryType, NewRecord, Record, RecordQuery, Statement
from saegim.offline.heads import MessageKind, plainly_asks, read
from saegim.offline.replies import listed
from saegim.offline.texts import PROPOSE_TO_FORGET, PROPOSE_TO_LEAVE_OUT
from saegim.text.analysis import language, word_keys
from saegim.text.own_words import is_own, own_words

CHANGING = frozenset({"remember", "forget", "undo", "dont_remember"})
NEWEST = 20
RECALL_TOKENS = 1_200
# More records than this are forgotten only after a yes.
MOST_AT_ONCE = 3
IMPORTANCE = 0.7
# From this similarity on, a message is about a memory with which it shares a word, or none.
NEAR, SAME = 0.75, 1.0
_WORD = re.compile(r"\w+")
_DATE = re.compile(r"\b(?:19|20)\d\d(?:-\d\d-\d\d|년(?:\s?\d{1,2}월(?:\s?\d{1,2}일)?)?|\b)\w*")
OFF = "Memory is not available at the moment."
NOT_OWN = (
    "Not done: `quote` must be copied from the user's last message, from the words that the user "
    "wrote themselves and did not quote or paste."
)
OF_OTHERS = (
    "Not done: write `statement` in the words of the user's message. These are not the user's, but "
    "of a text that you read: {words}."
)
NOT_REPLACED = (
    "Not done: `statement` does not speak of what these memories say: {refs}. Leave them out of "
    "`replaces`."
)
UNKNOWN_REF = "Not done: these markers name no memory that this conversation has shown: {refs}."
NOT_ASKED = (
    "Not done: the user's message does not plainly ask for it. The user can undo with the button "
    "below the answer that changed memory."
)
ASKED = (
    "Not done yet: below your answer the user is asked whether to forget {what}. "
    "Say in a few words that you ask."
)


class RecallArguments(ToolArguments):
    """Look up what is remembered of the user, from this and earlier conversations. Without `query`
    it lists the newest memories. `since` and `until` are the first and the last day on which it was
    said."""

    query: Annotated[str | None, Field(max_length=300)] = None
    since: Day | None = None
    until: Day | None = None


class RememberArguments(ToolArguments):
    """Remember one fact that the user tells in the last message. `statement`: one sentence in the
    user's language and words that is clear without the conversation; behind a relative day its
    date, as in "tomorrow (2026-11-20)". `quote`: one unbroken piece of the last message that says
    it, copied character for character. `kind`: a constraint must be respected, such as an allergy;
    a profile is who they are; a todo is what they must do. `happens_on`: the day of an event.
    `holds_until`: the last day on which it is true. `replaces`: markers, such as "M2", of memories
    that it makes untrue."""

    statement: Annotated[str, Field(min_length=1, max_length=500)]
    quote: Annotated[str, Field(min_length=1, max_length=500)]
    kind: Literal["fact", "preference", "constraint", "decision", "todo", "profile"] = "fact"
    happens_on: Day | None = None
    holds_until: Day | None = None
    replaces: Annotated[list[str], Field(max_length=5)] = Field(default=[])


class ForgetArguments(ToolArguments):
    """Forget memories that the user asks you to forget, and exactly those. `refs`: their markers,
    such as "M2"; `recall` them first if you do not see them. The user is asked first if they are
    more than three, or the message does not plainly ask for it."""

    refs: Annotated[list[str], Field(min_length=1, max_length=50)]


class UndoArguments(ToolArguments):
    """Take back the last change of memory in this conversation; again for the one before it."""


class DontRememberArguments(ToolArguments):
    """Keep the message that the user has just written out of memory, if the user wants that. For
    something said earlier use `forget`, or `undo` if it was the last change."""


@dataclass(frozen=True, eq=False)
class MemoryToolServices:
    """What the tools read and change."""

    recall: Recall
    records: PostgresRecords
    changes: TurnChanges
    embedder: Embedder


class MemoryTools:
    def __init__(self, services: MemoryToolServices, work: TurnWork) -> None:
        self._services = services
        self._work = work
        self._scope = work.turn.scope
        self._zone = ZoneInfo(work.time_zone)

    def reading(self) -> list[TurnTool]:
        return [tool("recall", RecallArguments, self.recall)]

    def changing(self) -> list[TurnTool]:
        return [
            tool("remember", RememberArguments, self.remember),
            tool("forget", ForgetArguments, self.forget),
            tool("undo", UndoArguments, self.undo),
            tool("dont_remember", DontRememberArguments, self.dont_remember),
        ]

    async def recall(self, wanted: RecallArguments, __: int) -> ToolAnswer:
        """Return what is near a query, or the newest records, with what this turn changed."""
        filters = Filters(
            said_from=begins(wanted.since, self._zone),
            said_until=ends(wanted.until, self._zone),
        )
        try:
            found = await self._found(wanted.query, filters)
        except (OptionalServiceDown, ModelUnavailable, TimeoutError):
            self._work.trace.note_degraded("memory")
            return ToolAnswer(OFF)
        gone, egress = self._gone(), self._work.egress
        kept = [
            each
            for each in (*self._new(), *found)
            if each.id not in gone and egress.allows(each.record_type, pinned=each.is_pinned)
        ]
        pieces = [evidence.memory_piece(each, self._work.refs, self._zone) for each in kept]
        fitting, _ = evidence.fit(pieces, RECALL_TOKENS)
        return self._work.shown("memories", fitting, "" if fitting else "Nothing is remembered.")

    async def remember(self, wanted: RememberArguments, call: int) -> ToolAnswer:
        """Prepare a record of the user's own words."""
        message = self._work.turn.message
        if not is_own(message, wanted.quote):
            return ToolAnswer(NOT_OWN)
        replaced = {ref: each for ref in wanted.replaces if (each := self._work.refs.memory(ref))}
        records = await self._services.records.find(self._scope, list(replaced.values()))
        try:
            apart = await self._not_spoken_of(records)
            if apart:
                unrelated = [ref for ref, each in replaced.items() if each in apart]
                return ToolAnswer(NOT_REPLACED.format(refs=", ".join(unrelated)))
            messages = (message, *self._work.before)
            # Others may have written a memory that comes from no message.
            said = [each.content for each in records if each.sources]
            own = word_keys(" ".join((*map(own_words, messages), *said)))
            others = words_of_others(wanted.statement, own, self._work.texts_of_others())
            if others:
                return ToolAnswer(OF_OTHERS.format(words=", ".join(others)))
            statement = Statement(
                MemoryType(wanted.kind),
                own_wording(wanted.statement, wanted.quote, messages, said),
                IMPORTANCE,
                valid_from=begins(wanted.happens_on, self._zone),
                valid_to=ends(wanted.holds_until, self._zone),
            )
            change = await self._services.changes.remember(
                self._work.turn, call, statement, wanted.quote, list(replaced.values())
            )
        except ModelUnavailable:
            return ToolAnswer(OFF)
        if change.known and change.known.record in self._gone():
            change = replace(change, known=None)
        record = change.known.record if change.known else change.record
        ref = self._work.refs.marker(EvidenceKind.MEMORY, str(record))
        self._stage(change)
        if change.known:
            return ToolAnswer(f"Known already, as [{ref}]: {statement.content}", is_done=True)
        self._note(EffectKind.REMEMBERED, change.record, statement.content)
        done = f"Remembered as [{ref}]: {statement.content}"
        if records:
            done += f" It replaces {listed([each.content for each in records])}."
        return ToolAnswer(done, is_done=True)

    async def forget(self, wanted: ForgetArguments, _: int) -> ToolAnswer:
        """Prepare to forget what the user plainly asks for; propose anything else, with what
        earlier calls of the turn proposed. More than MOST_AT_ONCE in all are proposed together."""
        ids = {ref: self._work.refs.memory(ref) for ref in wanted.refs}
        unknown = [ref for ref, each in ids.items() if each is None]
        if unknown:
            return ToolAnswer(UNKNOWN_REF.format(refs=", ".join(unknown)))
        proposed = self._work.proposal.records if self._work.proposal else ()
        chosen = list(dict.fromkeys((*proposed, *filter(None, ids.values()))))
        if len({*chosen, *(each for of in self._forgets() for each in of.records)}) > MOST_AT_ONCE:
            chosen = list(dict.fromkeys((*self._drop_forgets(), *chosen)))
        staged = {each.record for each in self._work.changes if isinstance(each, Remember)}
        records = list(await self._services.records.find(self._scope, chosen))
        if not records and not staged & set(chosen):
            return self._leave_out_turn(wanted.refs)
        said = {each.content for each in records}
        stored = await self._services.records.browse_all(self._scope) if said else []
        same = [each for each in stored if any(says_the_same(each.content, one) for one in said)]
        copies = [each for each in same if each not in records]
        going = [*(each.id for each in (*records, *copies)), *staged.intersection(chosen)]
        others = (*copies, *await self._services.records.going_with(self._scope, going))
        texts = list(dict.fromkeys(each.content for each in (*records, *others)))
        quoted = listed(texts)
        pinned = any(record.pinned for record in (*records, *others))
        if not pinned and await self._is_plain(records):
            self._stage(Forget(tuple(going)))
            for record in records:
                self._note(EffectKind.FORGOTTEN, record.id, record.content)
            return ToolAnswer(f"Forgotten: {quoted}. It can be undone.", is_done=True)
        locale = language(self._work.turn.message)
        self._work.proposal = Proposal(
            RequestKind.FORGET,
            translate(PROPOSE_TO_FORGET, locale, statements=quoted),
            tuple(going),
            alone=await self._asks_alone(),
        )
        return ToolAnswer(ASKED.format(what=quoted))

    def _leave_out_turn(self, refs: Sequence[str]) -> ToolAnswer:
        """Propose to leave an earlier turn out of memory, which a marker may name too."""
        shown = (self._work.evidence.get(ref.strip(" []")) for ref in refs)
        earlier = next((each for each in shown if each is not None and each.turn), None)
        if earlier is None or earlier.turn is None:
            return ToolAnswer("Not done: nothing with these markers is remembered now.")
        quoted = listed([earlier.said])
        locale = language(self._work.turn.message)
        text = translate(PROPOSE_TO_LEAVE_OUT, locale, message=quoted)
        self._work.proposal = Proposal(RequestKind.LEAVE_OUT, text, turn=UUID(earlier.turn))
        return ToolAnswer(ASKED.format(what=quoted))

    async def undo(self, _: UndoArguments, __: int) -> ToolAnswer:
        """Prepare to take back the last change of earlier turns, unless this turn made others."""
        undone = [each.of for each in self._work.changes if isinstance(each, Undo)]
        if any(each.kind is not EffectKind.UNDONE for each in self._work.effects):
            return ToolAnswer("Not done: this answer changes memory; its button undoes that.")
        turn = self._work.turn
        found = await self._services.changes.undoable(turn, turn.session, without=undone)
        if found is None:
            return ToolAnswer("Not done: nothing was changed in this conversation.")
        change, texts = found
        if not await self._asks(MessageKind.UNDO):
            return ToolAnswer(NOT_ASKED)
        self._stage(change)
        self._note(EffectKind.UNDONE, change.of, " · ".join(texts))
        return ToolAnswer(f"Undone: all is as before {listed(texts)}", is_done=True)

    async def dont_remember(self, _: DontRememberArguments, __: int) -> ToolAnswer:
        """Prepare to leave the message out, or propose it."""
        turn = self._work.turn
        if await self._asks(MessageKind.LEAVE_OUT):
            self._stage(await self._services.changes.leave_out(self._scope, turn.id))
            self._note(EffectKind.LEFT_OUT, turn.id, "")
            return ToolAnswer("This message is left out of memory.", is_done=True)
        text = translate(
            PROPOSE_TO_LEAVE_OUT, language(turn.message), message=listed([turn.message])
        )
        self._work.proposal = Proposal(RequestKind.LEAVE_OUT, text, turn=turn.id)
        return ToolAnswer(ASKED.format(what="this message"))

    async def _found(self, query: str | None, filters: Filters) -> list[RecallCandidate]:
        if query is None:
            listing = RecordQuery(filters=filters, count=NEWEST)
            records = await self._services.records.browse(self._scope, listing)
            return [_candidate(record.id, record) for record in records if not record.is_digest]
        turn = self._work.turn
        recollection = await self._services.recall.recall(
            RecallRequest(
                scope=self._scope,
                message=query,
                now=self._work.now,
                time_zone=self._work.time_zone,
                session=turn.session,
                filters=filters,
                limits=RecallLimits(tokens=RECALL_TOKENS),
            )
        )
        return [*recollection.pinned, *recollection.recalled]

    async def _not_spoken_of(self, records: Sequence[Record]) -> list[UUID]:
        """Return the records that are pinned, or neither near the message nor cited in an answer
        before it. Raises ModelUnavailable."""
        cited = {self._work.refs.memory(marker) for marker in self._work.cited_before()}
        apart = [each for each in records if each.pinned or each.id not in cited]
        if not apart:
            return []
        embedder, message = self._services.embedder, own_words(self._work.turn.message)
        texts = [message, *(each.content for each in apart)]
        own, *vectors = await embedder.embed(texts, "document")
        similar = [embedder.scale.similarity(sum(map(operator.mul, own, each))) for each in vectors]
        keys = word_keys(message)
        least = [
            NEAR if keys & word_keys(f"{each.content} {each.topic}") else SAME for each in apart
        ]
        return [
            record.id
            for record, value, needed in zip(apart, similar, least, strict=True)
            if record.pinned or value < needed
        ]

    async def _is_plain(self, records: Sequence[Record]) -> bool:
        """Return whether the message itself plainly asks to forget these records."""
        if len(records) > MOST_AT_ONCE:
            return False
        if not await self._asks(MessageKind.FORGET):
            return False
        own = word_keys(own_words(self._work.turn.message))
        return all(own & word_keys(f"{each.content} {each.topic}") for each in records)

    async def _asks(self, kind: MessageKind) -> bool:
        """Return whether the message itself plainly asks for a change."""
        return await plainly_asks(self._services.embedder, self._work.turn.message, kind)

    async def _asks_alone(self) -> bool:
        """Return whether the message asks to forget and tells nothing else."""
        reading = await read(self._services.embedder, self._work.turn.message)
        return reading.kind is MessageKind.FORGET

    def _gone(self) -> set[UUID]:
        forgotten = (each.records for each in self._forgets())
        replaced = (each.replaces for each in self._work.changes if isinstance(each, Remember))
        return {record for records in (*forgotten, *replaced) for record in records}

    def _forgets(self) -> list[Forget]:
        return [each for each in self._work.changes if isinstance(each, Forget)]

    def _drop_forgets(self) -> list[UUID]:
        """Take back what earlier calls prepared to forget; return it."""
        dropped, work = self._forgets(), self._work
        work.changes = [each for each in work.changes if each not in dropped]
        work.effects = [each for each in work.effects if each.kind is not EffectKind.FORGOTTEN]
        work.trace.prepared -= len(dropped)
        return [record for each in dropped for record in each.records]

    def _new(self) -> list[RecallCandidate]:
        return [
            _candidate(each.record, each.new)
            for each in self._work.changes
            if isinstance(each, Remember) and each.known is None
        ]

    def _stage(self, change: TurnChange) -> None:
        self._work.changes.append(change)
        self._work.trace.prepared += 1

    def _note(self, kind: EffectKind, identifier: UUID, text: str) -> None:
        ref = None
        if kind in (EffectKind.REMEMBERED, EffectKind.FORGOTTEN):
            ref = self._work.refs.marker(EvidenceKind.MEMORY, str(identifier))
        self._work.effects.append(Effect(kind, identifier, ref, text))


def _candidate(identifier: UUID, record: Record | NewRecord) -> RecallCandidate:
    return RecallCandidate(
        CandidateKind.PINNED if record.pinned else CandidateKind.RECORD,
        identifier,
        record.statement.content,
        record.said_at,
        RecallSignals(score=1.0),
        0,
        sources=record.sources,
        unsure_since=record.unsure_since if isinstance(record, Record) else None,
        record_type=record.statement.type.value,
    )


def words_of_others(statement: str, own: frozenset[str], others: Iterable[str]) -> list[str]:
    """Return the words of a statement that others have written and the person has not.

    Words that nobody has written, such as other forms, are the model's; so are the dates that it
    adds.
    """
    read = word_keys(" ".join(others)) - own - PERSON
    words = dict.fromkeys(_WORD.findall(_DATE.sub("", statement)))
    return [word for word in words if word_keys(word) & read]

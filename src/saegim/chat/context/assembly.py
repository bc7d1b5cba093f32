"""Assembles the context of a turn: thread, system text, notes and blocks, within a token budget."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from itertools import chain
from uuid import UUID

from saegim.chat.context import evidence
from saegim.chat.context.evidence import Piece, Refs, RetrievedContext, fit_pinned, is_shortened
from saegim.chat.types import Evidence, EvidenceKind
from saegim.conversations.summary.fallback import bounded
from saegim.conversations.types import (
    RECENT_TURNS,
    ROOMY_RULE,
    ChannelMessage,
    Entity,
    Exchange,
    HistoryEntry,
    Turn,
    TurnInputs,
    WorkingState,
    fit_entities,
    push_entity,
    render_entities,
    tokens_of,
)
from saegim.domain.tenancy import Assistant
from saegim.llm.ports import EVERYTHING, EgressPolicy
from saegim.llm.prompts import load
from saegim.llm.types import Message, StepPrompt
from saegim.memory.proposals import agrees
from saegim.memory.recall.types import RecallCandidate
from saegim.text.tokens import count, cut, delimited
from saegim.usage.trace import BlockUse, ContextUse, EgressUse, ItemUse

# Turns leave the beginning of the conversation together, once in so many: the prompts in between
# begin with the same text.
TURNS_LEFT_OUT = 10


@dataclass(frozen=True, slots=True)
class Thread:
    """The conversation before a turn: the session's memory, or the client's history."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()
    recent: tuple[Exchange, ...] = ()
    tags: str | None = None
    """Suffix of the prompt's tags: one for the whole conversation, so that its prompts begin with
    the same text."""
    key: bytes = b""
    """Makes placeholders for names the same in the whole conversation."""


def thread_of(
    state: WorkingState, turn: Turn, inputs: TurnInputs, window: int = RECENT_TURNS
) -> Thread:
    """Return the conversation before the turn; a client's history replaces the stored one.

    Turns that are not summarised yet stay verbatim, and the last `window` turns. Summarised ones
    are left out ten at a time, so that the prompts in between begin with the same turns.
    """
    if inputs.history is not None:
        return _client_thread(inputs.history, turn)
    before = [_unquoted(each) for each in state.recent if each.number < turn.number]
    steps = max(0, turn.number - 1 - window) // TURNS_LEFT_OUT
    first = min(steps * TURNS_LEFT_OUT, state.summarised_through) + 1
    kept = [each for each in before if each.number >= first]
    recent = kept if len(kept) > window else before[-window:]
    session = turn.session
    recent = tuple(recent)
    return Thread(state.summary, state.entities, recent, _tags(session), _key(session))


def _unquoted(turn: Exchange) -> Exchange:
    """Return a turn without the reply that quotes what it forgot."""
    return replace(turn, reply="") if turn.by_rule and agrees(turn.message) else turn


def _tags(session: UUID) -> str:
    return sha256(b"tags of " + session.bytes).hexdigest()[:8]


def _key(session: UUID) -> bytes:
    return sha256(b"names of " + session.bytes).digest()


def _client_thread(history: Sequence[HistoryEntry], turn: Turn) -> Thread:
    last = history[-RECENT_TURNS:]
    recent = tuple(
        Exchange(number, entry.message, entry.summary, turn.created_at, entry.doc_ids, entry.refs)
        for number, entry in enumerate(last, start=turn.number - len(last))
    )
    entities = [entity for entry in last for entity in entry.entities]
    tags, key = _tags(turn.session), _key(turn.session)
    return Thread(entities=push_entity((), entities), recent=recent, tags=tags, key=key)


STILL_TRUE = (
    "(Something has changed that this memory rested on, so it may no longer hold: “{statement}”. "
    "Do not rely on it. If it fits here, end your reply with one short question whether it still "
    "holds.)"
)
NOTHING_FOUND = "(The search of the documents found nothing near this message.)"
CHANNEL_TOKENS = 400
TOOLS_FAILED = "(These tools are unavailable at the moment: {tools}. Say so if you need them.)"


def to_ask_about(gathered: RetrievedContext, egress: EgressPolicy) -> RecallCandidate | None:
    """Return the unsure memory to ask about, if it may leave to the model."""
    unsure = gathered.memory.to_ask
    if unsure is None or not egress.allows(unsure.record_type, pinned=unsure.is_pinned):
        return None
    return unsure


def notes(gathered: RetrievedContext, *, has_evidence: bool, unsure: RecallCandidate | None) -> str:
    """Return what the prompt says of the search, the tools and a memory to ask about."""
    lines: list[str] = []
    if gathered.findings.consulted and not has_evidence:
        lines.append(NOTHING_FOUND)
    if failed := [each.tool for each in gathered.tools if each.state == "failed"]:
        lines.append(TOOLS_FAILED.format(tools=", ".join(failed)))
    if unsure is not None:
        lines.append(STILL_TRUE.format(statement=unsure.text))
    return "\n".join(lines)


def now_block(now: datetime, zone: str) -> str:
    """Return the date and time where the user is."""
    return delimited("now", f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M} ({zone})")


def channel_block(messages: Sequence[ChannelMessage]) -> str:
    """Return the newest messages that fit, oldest first, between tags; "" if there are none."""
    lines: list[str] = []
    left = CHANNEL_TOKENS
    for message in reversed(messages):
        line = f"{message.name}: {message.text}"
        left -= count(line) + 1
        if left < 0:
            break
        lines.append(line)
    return delimited("nearby", "\n".join(reversed(lines))) if lines else ""


_EMPTY_LINES = re.compile(r"\n{3,}")
_ALSO = (
    "You also help with everyday requests, such as conversation, translation, proofreading, code, "
    "arithmetic and dates. Do these yourself, without searching and without markers. On the "
    "subject itself you may add general knowledge, if you say that it is not from the documents, "
    "but never prices, limits, dates or names."
)
_STRICT = (
    "Answer questions about the subject from the documents alone: what they do not say, you do "
    "not know. About the user you answer from memory. Greetings, arithmetic, dates and translation "
    "you do yourself."
)
_SEARCHING = (
    ", and what `search` and `read` bring. If that does not answer, search again, once for each "
    "open part of the question and once more in other words or in the language of the documents; "
    "do not search for what needs no documents."
)
_RECALLING = ", or what `recall` brings: use it before you say that you do not know."


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the answering model can do in a turn: search the library, recall, change what is
    remembered, use other tools."""

    searches: bool = False
    recalls: bool = False
    remembers: bool = False
    acts: tuple[str, ...] = ()
    strict: bool = False
    subject: str = ""
    """What the assistant is for."""
    user: str = ""
    """The name of the user."""


def system_text(assistant: Assistant, can: Abilities, card: str = "") -> str:
    """Return the text, with what is always known of the user at its end."""
    names = ", ".join(f"`{name}`" for name in can.acts)
    acting = f", except with {names}: call them for what they cover" if names else ""
    memory = load("saegim.chat", "answer_memory" if can.remembers else "answer_no_memory")
    text = load("saegim.chat", "answer").render(
        name=assistant.name,
        persona=assistant.persona,
        subject=f"What you are for: {can.subject}" if can.subject else "",
        policy=assistant.policy,
        general=_STRICT if can.strict else _ALSO,
        searching=_SEARCHING if can.searches else ".",
        recalling=_RECALLING if can.recalls else ".",
        memory=memory.render(acting=acting),
        card=card,
    )
    return _EMPTY_LINES.sub("\n\n", text).strip()


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens per block.

    `most` is the largest total that the longest allowed message leads to. `turns` is how many
    recent turns stay verbatim after they were summarised. Pinned facts, and the profile with what
    they leave, may grow to `pinned_most` at the cost of memories and evidence.
    """

    system: int = 1_500
    pinned: int = 400
    summary: int = 500
    entities: int = 200
    memories: int = 1_200
    recent: int = 1_500
    evidence: int = 1_500
    message: int = 100
    most: int = 10_000
    profile: int = 300
    pinned_most: int = 700
    turns: int = RECENT_TURNS

    def with_pinned(self, tokens: int | None) -> "Budgets":
        """Return the budgets with the user's own limit for pinned facts; None keeps the default."""
        return self if tokens is None else replace(self, pinned=tokens, pinned_most=tokens)

    def reduced(self) -> "Budgets":
        """Return the budgets of a slow model, which takes a minute to read 2,000 tokens."""
        most = {"summary": 150, "entities": 50, "memories": 300, "recent": 300, "evidence": 600}
        most |= {"profile": 100}
        return replace(
            self, **{name: min(tokens, getattr(self, name)) for name, tokens in most.items()}
        )

    def roomy(self) -> "Budgets":
        """Return the budgets for a whole conversation and more evidence."""
        return replace(self, recent=ROOMY_RULE.tokens, evidence=2 * self.evidence)

    @property
    def total(self) -> int:
        return self.system + self.pinned + self.memory + self.gathered + self.message

    @property
    def memory(self) -> int:
        """Tokens for working memory."""
        return self.summary + self.entities + self.recent

    @property
    def gathered(self) -> int:
        """Tokens for retrieved memories and evidence."""
        return self.memories + self.evidence


@dataclass(frozen=True, slots=True)
class BlockDemand:
    tokens: int
    budget: int

    def limit(self, granted: int) -> int:
        """Return the limit to report: the granted tokens if the block was cut or got extra."""
        return granted if granted < self.tokens else max(granted, self.budget)


def allocate(budget: int, demands: Mapping[str, BlockDemand]) -> dict[str, int]:
    """Give each block what it needs up to its budget; the first in `demands` is served first."""
    granted: dict[str, int] = {}
    for name, demand in demands.items():
        granted[name] = max(0, min(demand.tokens, demand.budget, budget - sum(granted.values())))
    return granted


def give_leftover(
    granted: Mapping[str, int], name: str, demand: BlockDemand, budget: int, group: Collection[str]
) -> dict[str, int]:
    """Return the grants with what the `group` leaves of its budget added to one block."""
    left = max(0, budget - sum(granted[other] for other in group))
    return {**granted, name: granted[name] + max(0, min(demand.tokens - granted[name], left))}


MEMORY = ("summary", "entities", "recent")
# From what changes least to what changes most: providers cache the beginning of a prompt.
BLOCKS = (
    "system", "pinned", "profile", "recent", "summary", "entities", "memories", "evidence",
    "message",
)  # fmt: skip
PIECES = ("pinned", "profile", "memories", "evidence")
OVER_BUDGET, INJECTED, PINNED = "over_budget", "injected", "pinned"
SHORTENED, WITHHELD = "shortened", "withheld"


@dataclass(frozen=True, slots=True)
class ContextPieces:
    """Retrieved evidence as pieces of the blocks."""

    pinned: tuple[Piece, ...] = ()
    profile: tuple[Piece, ...] = ()
    memories: tuple[Piece, ...] = ()
    evidence: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The prompt of a turn, its citable evidence, and the use of each block."""

    prompt: StepPrompt
    thread: Thread
    message: str
    found: ContextPieces
    blocks: tuple[BlockUse, ...]
    use: ContextUse
    items: tuple[ItemUse, ...] = ()
    egress: EgressUse = field(default_factory=EgressUse)
    to_ask: RecallCandidate | None = None
    """The unsure memory that the model is told to ask about."""
    refs: Refs = field(default_factory=Refs)

    @property
    def evidence(self) -> dict[str, Evidence]:
        """Everything in the context that can be cited, by marker."""
        found = [*self.memories, *(piece.evidence for piece in self.found.evidence)]
        recent = self.thread.recent
        earlier = evidence.remembered(recent), evidence.turns(recent, self.thread.entities)
        return {each.marker: each for each in (*chain(*earlier), *found)}

    @property
    def memories(self) -> list[Evidence]:
        found = self.found
        # Least relevant last: the profile is there for every question.
        return [piece.evidence for piece in (*found.pinned, *found.memories, *found.profile)]

    @property
    def passages(self) -> list[Evidence]:
        found = (piece.evidence for piece in self.found.evidence)
        return [each for each in found if each.kind is EvidenceKind.PASSAGE]


def assemble(  # noqa: PLR0913 - optional keywords
    assistant: Assistant,
    thread: Thread,
    message: str,
    budgets: Budgets,
    gathered: RetrievedContext | None = None,
    nearby: str = "",
    egress: EgressPolicy = EVERYTHING,
    refs: Refs | None = None,
    abilities: Abilities = Abilities(),  # noqa: B008 - frozen
) -> Context:
    """Assemble the prompt within its token budget, without memories that must not leave. Rules may
    still quote those.

    System, pinned and message are never cut; a message over its budget raises the total. The
    others are cut in this order: summary, entities, memories, evidence, recent turns. Leftover
    tokens go to recent turns within working memory, then to evidence, then to memories. Pinned
    facts over their budget take from memories, then from evidence; over `pinned_most` they are
    shortened. The profile has what pinned facts leave of `pinned_most`.
    """
    gathered, refs = gathered or RetrievedContext(), refs or Refs()
    to_ask = to_ask_about(gathered, egress)
    whole, lines = evidence.always(gathered.memory, refs)
    pinned = fit_pinned(whole, budgets.pinned_most)
    left = budgets.pinned_most - sum(piece.tokens for piece in pinned)
    profile, lost_lines = evidence.fit(lines, min(budgets.profile, max(0, left)))
    known = {p.evidence.id for p in profile if egress.allows(p.record_type, pinned=True)}
    recalled = evidence.recalled(gathered.memory, known, refs)
    passages = tuple(evidence.found(gathered, message, refs))
    noted = notes(gathered, has_evidence=bool(passages), unsure=to_ask)
    before = "\n\n".join(filter(None, (nearby, noted)))
    found = ContextPieces(pinned, tuple(profile), tuple(recalled), passages)
    tokens = {
        "system": count(system_text(assistant, abilities)),
        "message": count(message) + count(before),
        **_thread_tokens(thread),
        **_piece_tokens(found),
    }
    always = tokens["pinned"] + tokens["profile"]
    fixed = tokens["system"] + tokens["message"] + always
    total = max(budgets.total, fixed)
    reduced = _without_pinned_excess(budgets, always)
    demands = {
        name: BlockDemand(tokens[name], getattr(reduced, name))
        for name in ("recent", "evidence", "memories", "entities", "summary")
    }
    granted = _grant(min(total - fixed, reduced.memory + reduced.gathered), demands, reduced)
    cut = {name: granted[name] for name in MEMORY if tokens[name] > granted[name]}
    fitted = _fitted(thread, cut)
    memories, lost_memories = evidence.fit(found.memories, granted["memories"])
    memories = evidence.in_order(memories, gathered.memory)
    fitting, lost_passages = evidence.fit(found.evidence, granted["evidence"])
    shown = ContextPieces(found.pinned, found.profile, tuple(memories), tuple(fitting))
    leaving = _leaving(shown, egress)
    tokens |= _thread_tokens(fitted, cut) | _piece_tokens(leaving)
    token_limits = {name: demand.limit(granted[name]) for name, demand in demands.items()}
    return Context(
        prompt=_prompt(
            system_text(assistant, abilities, _card(leaving, abilities)),
            fitted,
            leaving,
            f"{before}\n\n{message}" if before else message,
        ),
        thread=fitted,
        message=message,
        found=shown,
        blocks=_blocks(tokens, budgets, token_limits, (thread, found), (fitted, shown)),
        use=ContextUse(sum(tokens.values()), total, raised=total > budgets.total),
        items=tuple(_uses(shown, [*lost_lines, *lost_memories, *lost_passages], whole, egress)),
        egress=_egress_use(shown, leaving),
        to_ask=to_ask,
        refs=refs,
    )


def _leaving(shown: ContextPieces, egress: EgressPolicy) -> ContextPieces:
    """Return the pieces that may leave to the model."""
    return replace(
        shown,
        pinned=tuple(p for p in shown.pinned if egress.allows(p.record_type, pinned=True)),
        profile=tuple(p for p in shown.profile if egress.allows(p.record_type, pinned=True)),
        memories=tuple(p for p in shown.memories if egress.allows(p.record_type, pinned=False)),
    )


def _egress_use(shown: ContextPieces, leaving: ContextPieces) -> EgressUse:
    left = (*leaving.pinned, *leaving.profile, *leaving.memories)
    return EgressUse(
        dict(sorted(Counter(piece.record_type for piece in left).items())),
        len(leaving.pinned),
        len(shown.pinned) + len(shown.profile) + len(shown.memories) - len(left),
    )


def _without_pinned_excess(budgets: Budgets, pinned: int) -> Budgets:
    """Take what pinned facts use over their budget from memories, then from evidence."""
    over = max(0, pinned - budgets.pinned)
    memories = max(0, budgets.memories - over)
    over -= budgets.memories - memories
    return replace(budgets, memories=memories, evidence=max(0, budgets.evidence - over))


def _grant(budget: int, demands: Mapping[str, BlockDemand], budgets: Budgets) -> dict[str, int]:
    granted = allocate(budget, demands)
    granted = give_leftover(granted, "recent", demands["recent"], budgets.memory, MEMORY)
    for name in ("evidence", "memories"):
        granted = give_leftover(granted, name, demands[name], budget, demands)
    over = sum(granted.values()) - budget
    # The budget of working memory may exceed what a long message left of the total.
    return {**granted, "recent": granted["recent"] - max(0, over)}


def _uses(
    shown: ContextPieces,
    dropped: Sequence[Piece],
    pinned: Sequence[Piece],
    egress: EgressPolicy,
) -> Iterable[ItemUse]:
    for before, after in zip(pinned, shown.pinned, strict=True):
        fate = SHORTENED if is_shortened(before, after) else PINNED
        yield after.use(fate if egress.allows(after.record_type, pinned=True) else WITHHELD)
    for piece in shown.profile:
        yield piece.use(INJECTED if egress.allows(piece.record_type, pinned=True) else WITHHELD)
    for piece in shown.memories:
        yield piece.use(INJECTED if egress.allows(piece.record_type, pinned=False) else WITHHELD)
    yield from (piece.use(INJECTED) for piece in shown.evidence)
    yield from (piece.use(OVER_BUDGET) for piece in dropped)


def _piece_tokens(found: ContextPieces) -> dict[str, int]:
    return {name: sum(piece.tokens for piece in getattr(found, name)) for name in PIECES}


def _thread_tokens(thread: Thread, names: Iterable[str] = MEMORY) -> dict[str, int]:
    counts = {
        "summary": lambda: count(thread.summary),
        "entities": lambda: count(render_entities(thread.entities)),
        "recent": lambda: sum(map(tokens_of, thread.recent)),
    }
    return {name: counts[name]() for name in names}


def _fitted(thread: Thread, limits: Mapping[str, int]) -> Thread:
    """Cut the named blocks of the thread to their limits."""
    if "summary" in limits:
        thread = replace(thread, summary=bounded(thread.summary, tokens=limits["summary"]))
    if "entities" in limits:
        thread = replace(thread, entities=fit_entities(thread.entities, limits["entities"]))
    if "recent" in limits:
        thread = replace(thread, recent=fit_recent(thread.recent, limits["recent"]))
    return thread


def _blocks(
    tokens: Mapping[str, int],
    budgets: Budgets,
    token_limits: Mapping[str, int],
    before: tuple[Thread, ContextPieces],
    after: tuple[Thread, ContextPieces],
) -> tuple[BlockUse, ...]:
    limits = {
        "system": budgets.system,
        "message": budgets.message,
        "pinned": max(budgets.pinned, tokens["pinned"]),
        "profile": budgets.profile,
        **token_limits,
    }
    uses: list[BlockUse] = []
    for name in BLOCKS:
        available, shown = (_item_count(name, *side) for side in (before, after))
        dropped = max(0, available - shown)
        uses.append(BlockUse(name, tokens[name], limits[name], shown, dropped))
    return tuple(uses)


def _item_count(name: str, thread: Thread, found: ContextPieces) -> int:
    match name:
        case "summary":
            return len(thread.summary.splitlines())
        case "entities":
            return len(thread.entities)
        case "recent":
            return len(thread.recent)
        case "pinned" | "profile" | "memories" | "evidence":
            return len(getattr(found, name))
        case _:
            return 1


def _prompt(system: str, thread: Thread, found: ContextPieces, message: str) -> StepPrompt:
    messages: list[Message] = []
    for turn in thread.recent:
        messages.append(Message("user", turn.message or "…"))
        if turn.reply:
            # The client's history names the documents of a reply by title.
            titles = f"\n({', '.join(turn.refs)})" if turn.refs else ""
            messages.append(Message("assistant", f"{turn.reply}{titles}{_done(turn)}"))
    # After the conversation, because it is another for each message.
    beside = {
        "summary": thread.summary,
        "entities": render_entities(thread.entities),
        "memories": _shown(found.memories),
        "evidence": _shown(found.evidence),
    }
    blocks = [delimited(name, text) for name, text in beside.items() if text]
    messages.append(Message("user", "\n\n".join([*blocks, message])))
    version = load("saegim.chat", "answer").label
    return StepPrompt(system, tuple(messages), version, thread.tags, thread.key)


def _done(turn: Exchange) -> str:
    """Return what a turn did to memory, without words of the user."""
    done = [f"{each['kind']} {each.get('ref') or ''}".strip() for each in turn.effects]
    return f"\n(memory: {', '.join(done).replace('_', ' ')})" if done else ""


def _card(found: ContextPieces, abilities: Abilities) -> str:
    """Return what is always known of the user."""
    lines = [f"The user's name is {abilities.user}."] if abilities.user else []
    lines += [_shown(found.pinned)] if found.pinned else []
    lines += [piece.shown for piece in found.profile]
    return delimited("user", "\n".join(lines)) if lines else ""


def _shown(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(piece.shown for piece in pieces)


CUT_MARK = " […]"
SHORT_REPLY = 60
SHORT_MESSAGE = 120
GROUP = 5


def fit_recent(recent: Sequence[Exchange], limit: int) -> tuple[Exchange, ...]:
    """Shorten old replies first, then old messages, then drop the oldest turns.

    Older turns are cut before the last five.
    """
    older, last = list(recent[:-RECENT_TURNS]), list(recent[-RECENT_TURNS:])
    used = _shrink(older, sum(map(tokens_of, recent)), limit, GROUP)
    _shrink(last, used, limit, 1)
    return (*older, *last)


def _shrink(turns: list[Exchange], used: int, limit: int, group: int) -> int:
    """Shorten and drop turns until `used` is within the limit; return the tokens still used.

    Turns are shortened in groups, by their numbers.
    """
    for part, most in (("reply", SHORT_REPLY), ("message", SHORT_MESSAGE)):
        begun = -1
        for index, turn in enumerate(turns):
            if used <= limit and turn.number // group != begun:
                return used
            begun = turn.number // group
            turns[index] = replace(turn, **{part: _shortened(getattr(turn, part), most)})
            used -= tokens_of(turn) - tokens_of(turns[index])
    while turns and used > limit:
        used -= tokens_of(turns.pop(0))
    return used


def _shortened(text: str, limit: int) -> str:
    if count(text) <= limit:
        return text
    return cut(text, limit - count(CUT_MARK)).rstrip() + CUT_MARK

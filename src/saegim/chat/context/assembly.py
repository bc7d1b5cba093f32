"""The context of a turn: blocks in order, within the room that they share (TN5, LM10)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from saegim.chat.context import evidence
from saegim.chat.context.evidence import Piece, RetrievedContext, fit_pinned, is_shortened
from saegim.chat.context.recent_turns import fit_recent
from saegim.chat.types import Evidence
from saegim.conversations.stored_turns import HistoryEntry, TurnInputs
from saegim.conversations.summary.bounds import bounded
from saegim.conversations.types import (
    RECENT_TURNS,
    Entity,
    Exchange,
    Turn,
    WorkingState,
    fit_entities,
    push_entity,
    render_entities,
    tokens_of,
)
from saegim.domain.tenancy import Assistant
from saegim.llm.steps import load
from saegim.llm.types import Message, StepPrompt
from saegim.text.tokens import count, delimited
from saegim.usage.trace import BlockUse, ContextUse, ItemUse


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens a block may take, how far a long message may raise the whole, and how many turns stay
    as they were although they are folded. Pinned facts may grow to `pinned_most` at the cost of
    memories and evidence."""

    system: int = 1_500
    pinned: int = 400
    summary: int = 500
    entities: int = 200
    memories: int = 1_200
    recent: int = 1_500
    evidence: int = 1_500
    message: int = 100
    most: int = 10_000
    pinned_most: int = 700
    turns: int = RECENT_TURNS

    def with_pinned(self, tokens: int | None) -> "Budgets":
        """The same with the slot for pinned facts that a user set; None leaves it."""
        return self if tokens is None else replace(self, pinned=tokens, pinned_most=tokens)

    @property
    def total(self) -> int:
        return self.system + self.pinned + self.memory + self.gathered + self.message

    @property
    def memory(self) -> int:
        """What working memory may take together."""
        return self.summary + self.entities + self.recent

    @property
    def gathered(self) -> int:
        """What is found for a message may take together."""
        return self.memories + self.evidence


@dataclass(frozen=True, slots=True)
class BlockDemand:
    """What a block would take, what it is entitled to, and whether it can use more than that."""

    tokens: int
    budget: int
    grows: bool = False

    def limit(self, granted: int) -> int:
        """What a block is held to: its budget, or what it got where that is more, or less."""
        return granted if granted < self.tokens else max(granted, self.budget)


def allocate(room: int, wants: Mapping[str, BlockDemand]) -> dict[str, int]:
    """Tokens for each block, named in the order in which blocks keep their room.

    Each takes what it wants up to its budget, the first named first: the last named gives way
    first. What is left then goes to those that can use it, in the same order.
    """
    granted: dict[str, int] = {}
    for name, want in wants.items():
        granted[name] = max(0, min(want.tokens, want.budget, room - sum(granted.values())))
    for name, want in wants.items():
        if want.grows:
            granted = give_leftover(granted, name, want, room, granted)
    return granted


def give_leftover(
    granted: Mapping[str, int], name: str, want: BlockDemand, room: int, beside: Collection[str]
) -> dict[str, int]:
    """The same with what those `beside` leave of their room given to a block that can use it."""
    left = max(0, room - sum(granted[other] for other in beside))
    return {**granted, name: granted[name] + max(0, min(want.tokens - granted[name], left))}


MEMORY = ("summary", "entities", "recent")
BLOCKS = ("system", "pinned", "summary", "entities", "memories", "recent", "evidence", "message")
OVER_BUDGET, INJECTED, PINNED = "over_budget", "injected", "pinned"
SHORTENED = "shortened"


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation carries into a turn: the session's memory, or the client's own."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()
    recent: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextPieces:
    """What was gathered, as the pieces of its blocks."""

    pinned: tuple[Piece, ...] = ()
    memories: tuple[Piece, ...] = ()
    evidence: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What the model is shown, what of it can be cited, and what became of each block."""

    prompt: StepPrompt
    thread: Thread
    message: str
    found: ContextPieces
    blocks: tuple[BlockUse, ...]
    use: ContextUse
    items: tuple[ItemUse, ...] = ()

    @property
    def evidence(self) -> dict[str, Evidence]:
        """All that stands in the context and can be cited, by marker."""
        pieces = (*self.found.pinned, *self.found.memories, *self.found.evidence)
        said = evidence.turns(self.thread.recent, self.thread.entities)
        every = [*(piece.evidence for piece in pieces), *said]
        return {one.marker: one for one in every}


def assemble(
    assistant: Assistant,
    thread: Thread,
    message: str,
    budgets: Budgets,
    gathered: RetrievedContext | None = None,
    nearby: str = "",
) -> Context:
    """System, pinned and message are never cut. The others give way in this order: summary,
    entities, memories, evidence, recent turns. Room that is left goes to recent turns within
    working memory, then to evidence, then to memories. A message too long raises the whole.
    Pinned facts beyond their slot take from memories, then from evidence; beyond their most they
    are shortened."""
    whole, recalled = evidence.memories((gathered or RetrievedContext()).memory)
    pinned = fit_pinned(whole, budgets.pinned_most)
    found = ContextPieces(
        pinned, tuple(recalled), tuple(evidence.found(gathered) if gathered else ())
    )
    tokens = {
        "system": count(_system(assistant)),
        "message": count(message) + count(nearby),
        **_sizes(thread),
        **_weights(found),
    }
    fixed = tokens["system"] + tokens["message"] + tokens["pinned"]
    total = max(budgets.total, fixed)
    paying = _beside_pinned(budgets, tokens["pinned"])
    wants = {
        name: BlockDemand(tokens[name], getattr(paying, name))
        for name in ("recent", "evidence", "memories", "entities", "summary")
    }
    room = _room(min(total - fixed, paying.memory + paying.gathered), wants, paying)
    cramped = {name: room[name] for name in MEMORY if tokens[name] > room[name]}
    fitted = _fitted(thread, cramped)
    kept, dropped = _chosen(found, room)
    tokens |= _sizes(fitted, cramped) | _weights(kept)
    token_limits = {name: want.limit(room[name]) for name, want in wants.items()}
    return Context(
        prompt=_prompt(assistant, fitted, kept, f"{nearby}\n\n{message}" if nearby else message),
        thread=fitted,
        message=message,
        found=kept,
        blocks=_blocks(tokens, budgets, token_limits, (thread, found), (fitted, kept)),
        use=ContextUse(sum(tokens.values()), total, raised=total > budgets.total),
        items=tuple(_uses(kept, dropped, whole)),
    )


def _beside_pinned(budgets: Budgets, pinned: int) -> Budgets:
    """The budgets with what pinned facts take beyond their slot: from memories, then evidence."""
    over = max(0, pinned - budgets.pinned)
    memories = max(0, budgets.memories - over)
    over -= budgets.memories - memories
    return replace(budgets, memories=memories, evidence=max(0, budgets.evidence - over))


def _room(room: int, wants: Mapping[str, BlockDemand], budgets: Budgets) -> dict[str, int]:
    granted = allocate(room, wants)
    granted = give_leftover(granted, "recent", wants["recent"], budgets.memory, MEMORY)
    for name in ("evidence", "memories"):
        granted = give_leftover(granted, name, wants[name], room, wants)
    over = sum(granted.values()) - room
    # Working memory's own share may be larger than what a long message left of the whole.
    return {**granted, "recent": granted["recent"] - max(0, over)}


def _chosen(found: ContextPieces, room: Mapping[str, int]) -> tuple[ContextPieces, list[Piece]]:
    memories, forgotten = evidence.fit(found.memories, room["memories"])
    passages, left_out = evidence.fit(found.evidence, room["evidence"])
    return ContextPieces(found.pinned, tuple(memories), tuple(passages)), [*forgotten, *left_out]


def _uses(
    kept: ContextPieces, dropped: Sequence[Piece], whole: Sequence[Piece]
) -> Iterable[ItemUse]:
    for before, after in zip(whole, kept.pinned, strict=True):
        yield after.use(SHORTENED if is_shortened(before, after) else PINNED)
    yield from (piece.use(INJECTED) for piece in (*kept.memories, *kept.evidence))
    yield from (piece.use(OVER_BUDGET) for piece in dropped)


def _weights(found: ContextPieces) -> dict[str, int]:
    return {
        name: sum(piece.tokens for piece in getattr(found, name))
        for name in ("pinned", "memories", "evidence")
    }


def _sizes(thread: Thread, names: Iterable[str] = MEMORY) -> dict[str, int]:
    counts = {
        "summary": lambda: count(thread.summary),
        "entities": lambda: count(render_entities(thread.entities)),
        "recent": lambda: sum(map(tokens_of, thread.recent)),
    }
    return {name: counts[name]() for name in names}


def _fitted(thread: Thread, room: Mapping[str, int]) -> Thread:
    """The thread with the blocks that have too little room cut to it."""
    if "summary" in room:
        thread = replace(thread, summary=bounded(thread.summary, tokens=room["summary"]))
    if "entities" in room:
        thread = replace(thread, entities=fit_entities(thread.entities, room["entities"]))
    if "recent" in room:
        thread = replace(thread, recent=fit_recent(thread.recent, room["recent"]))
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
        **token_limits,
    }
    return tuple(
        BlockUse(name, tokens[name], limits[name], *_items(name, before, after)) for name in BLOCKS
    )


def _items(
    name: str, before: tuple[Thread, ContextPieces], after: tuple[Thread, ContextPieces]
) -> tuple[int, int]:
    """How many items a block has, and how many it left out."""
    said, kept = (_length(name, *side) for side in (before, after))
    return kept, max(0, said - kept)


def _length(name: str, thread: Thread, found: ContextPieces) -> int:
    match name:
        case "summary":
            return len(thread.summary.splitlines())
        case "entities":
            return len(thread.entities)
        case "recent":
            return len(thread.recent)
        case "pinned" | "memories" | "evidence":
            return len(getattr(found, name))
        case _:
            return 1


def _prompt(assistant: Assistant, thread: Thread, found: ContextPieces, message: str) -> StepPrompt:
    messages: list[Message] = []
    for turn in thread.recent:
        messages.append(Message("user", turn.message))
        if turn.reply:
            messages.append(Message("assistant", with_references(turn)))
    asked = message
    if found.evidence:
        # After what was said and before the message: the order in which it is to be read.
        asked = f"{delimited('evidence', _shown(found.evidence))}\n\n{message}"
    return load("saegim.chat", "answer").step(
        (*messages, Message("user", asked)), **_values(assistant, thread, found)
    )


def with_references(turn: Exchange) -> str:
    """A reply as the model is shown it, with the titles of the documents that a client named."""
    return f"{turn.reply}\n({', '.join(turn.refs)})" if turn.refs else turn.reply


def _values(assistant: Assistant, thread: Thread, found: ContextPieces) -> dict[str, str]:
    return {
        "persona": assistant.persona,
        "policy": assistant.policy,
        "pinned": delimited("pinned", _shown(found.pinned)),
        "summary": delimited("summary", thread.summary),
        "entities": delimited("entities", render_entities(thread.entities)),
        "memories": delimited("memories", _shown(found.memories)),
    }


def _shown(pieces: Sequence[Piece]) -> str:
    return "\n\n".join(piece.shown for piece in pieces)


def _system(assistant: Assistant) -> str:
    return load("saegim.chat", "answer").render(**_values(assistant, Thread(), ContextPieces()))


def thread_of(
    state: WorkingState, turn: Turn, inputs: TurnInputs, window: int = RECENT_TURNS
) -> Thread:
    """What was said before the turn. A client's own history takes the place of all we remember.
    Of folded turns the last ones of the `window` stay as they were."""
    if inputs.history is not None:
        return brought_by_client(inputs.history, turn)
    hidden = inputs.instead_of
    before = [said for said in state.recent if said.number < turn.number and said.number != hidden]
    waiting = [said for said in before[:-window] if said.number > state.summarised_through]
    return Thread(state.summary, state.entities, (*waiting, *before[-window:]))


def brought_by_client(history: Sequence[HistoryEntry], turn: Turn) -> Thread:
    """The client's last five turns, and the entities that came with them."""
    last = history[-RECENT_TURNS:]
    first = turn.number - len(last)
    recent = [
        Exchange(
            first + index,
            entry.message,
            entry.summary,
            turn.created_at,
            entry.doc_ids,
            entry.refs,
        )
        for index, entry in enumerate(last)
    ]
    brought = [entity for entry in last for entity in entry.entities]
    return Thread(entities=push_entity((), brought), recent=tuple(recent))

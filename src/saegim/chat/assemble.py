"""The context of a turn: blocks in order, within the room that they share (TN5, LM10)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from saegim.chat.recent import fit_recent
from saegim.chat.room import Budgets, Want, share
from saegim.domain.tenancy import Assistant
from saegim.domain.turn import Exchange
from saegim.search.delimit import delimited
from saegim.search.tokens import count
from saegim.steps.prompts import load
from saegim.steps.types import Message, StepPrompt
from saegim.usage.trace import BlockUse, ContextUse
from saegim.working_memory import entities
from saegim.working_memory.bounds import bounded
from saegim.working_memory.types import Entity, tokens_of

MEMORY = ("summary", "entities", "recent")
BLOCKS = ("system", *MEMORY, "message")


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation carries into a turn: the session's memory, or the client's own."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()
    recent: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What the model is shown, and what became of each block."""

    prompt: StepPrompt
    thread: Thread
    message: str
    blocks: tuple[BlockUse, ...]
    use: ContextUse


def assemble(assistant: Assistant, thread: Thread, message: str, budgets: Budgets) -> Context:
    """System and message are never cut; the others share what is left, recent turns keep theirs
    longest, then entities, then the summary. A message too long for that raises the whole."""
    tokens = {"system": count(_system(assistant)), "message": count(message), **_sizes(thread)}
    fixed = tokens["system"] + tokens["message"]
    total = max(budgets.total, fixed)
    wants = {
        "recent": Want(tokens["recent"], budgets.recent, grows=True),
        "entities": Want(tokens["entities"], budgets.entities),
        "summary": Want(tokens["summary"], budgets.summary),
    }
    room = share(min(total - fixed, budgets.memory), wants)
    cramped = {name: room[name] for name in room if tokens[name] > room[name]}
    fitted = _fitted(thread, cramped)
    tokens |= _sizes(fitted, cramped)
    prompt = load("saegim.chat", "answer").step(
        _messages(fitted.recent, message), **_values(assistant, fitted)
    )
    given = {name: want.limit(room[name]) for name, want in wants.items()}
    budget = {"system": budgets.system, "message": budgets.message, **given}
    blocks = tuple(
        BlockUse(name, tokens[name], budget[name], *_items(name, thread, fitted)) for name in BLOCKS
    )
    use = ContextUse(sum(tokens.values()), total, raised=total > budgets.total)
    return Context(prompt, fitted, message, blocks, use)


def _sizes(thread: Thread, names: Iterable[str] = MEMORY) -> dict[str, int]:
    counts = {
        "summary": lambda: count(thread.summary),
        "entities": lambda: count(entities.render(thread.entities)),
        "recent": lambda: sum(map(tokens_of, thread.recent)),
    }
    return {name: counts[name]() for name in names}


def _fitted(thread: Thread, room: Mapping[str, int]) -> Thread:
    """The thread with the blocks that have too little room cut to it."""
    if "summary" in room:
        thread = replace(thread, summary=bounded(thread.summary, tokens=room["summary"]))
    if "entities" in room:
        thread = replace(thread, entities=entities.fit(thread.entities, room["entities"]))
    if "recent" in room:
        thread = replace(thread, recent=fit_recent(thread.recent, room["recent"]))
    return thread


def _items(name: str, thread: Thread, fitted: Thread) -> tuple[int, int]:
    """How many items a block has, and how many it left out."""
    match name:
        case "summary":
            kept, said = len(fitted.summary.splitlines()), len(thread.summary.splitlines())
        case "entities":
            kept, said = len(fitted.entities), len(thread.entities)
        case "recent":
            kept, said = len(fitted.recent), len(thread.recent)
        case _:
            kept, said = 1, 1
    return kept, max(0, said - kept)


def _messages(recent: Sequence[Exchange], message: str) -> tuple[Message, ...]:
    messages: list[Message] = []
    for turn in recent:
        messages.append(Message("user", turn.message))
        if turn.reply:
            messages.append(Message("assistant", turn.reply))
    return (*messages, Message("user", message))


def _values(assistant: Assistant, thread: Thread) -> dict[str, str]:
    return {
        "persona": assistant.persona,
        "policy": assistant.policy,
        "summary": delimited("summary", thread.summary),
        "entities": delimited("entities", entities.render(thread.entities)),
    }


def _system(assistant: Assistant) -> str:
    return load("saegim.chat", "answer").render(**_values(assistant, Thread()))

"""The context of a turn: blocks in order, within the room that they share (TN5, LM10)."""

from collections.abc import Sequence
from dataclasses import dataclass

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

BLOCKS = ("system", "summary", "entities", "recent", "message")


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
    fitted = thread if all(tokens[name] <= room[name] for name in room) else _fitted(thread, room)
    if fitted is not thread:
        tokens |= _sizes(fitted)
    prompt = load("saegim.chat", "answer").step(
        _messages(fitted.recent, message), **_values(assistant, fitted)
    )
    budget = {"system": budgets.system, "message": budgets.message, **room}
    blocks = tuple(
        BlockUse(name, tokens[name], budget[name], *_items(name, thread, fitted)) for name in BLOCKS
    )
    use = ContextUse(sum(tokens.values()), total, raised=total > budgets.total)
    return Context(prompt, fitted, message, blocks, use)


def _sizes(thread: Thread) -> dict[str, int]:
    return {
        "summary": count(thread.summary),
        "entities": count(entities.render(thread.entities)),
        "recent": sum(map(tokens_of, thread.recent)),
    }


def _fitted(thread: Thread, room: dict[str, int]) -> Thread:
    return Thread(
        summary=bounded(thread.summary, tokens=room["summary"]),
        entities=entities.fit(thread.entities, room["entities"]),
        recent=fit_recent(thread.recent, room["recent"]),
    )


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

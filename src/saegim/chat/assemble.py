"""The context of a turn: blocks in order, within the room that they share (TN5, LM10)."""

from collections.abc import Sequence
from dataclasses import dataclass

from saegim.chat.recent import fit_recent
from saegim.chat.room import Budgets, Want, share
from saegim.domain.tenancy import Assistant
from saegim.domain.turn import Exchange
from saegim.search import analyse
from saegim.search.delimit import delimited
from saegim.search.tokens import count
from saegim.steps.prompts import load
from saegim.steps.types import Message, StepPrompt
from saegim.usage.trace import BlockUse, ContextUse
from saegim.working_memory import entities
from saegim.working_memory.bounds import bounded
from saegim.working_memory.types import Entity, tokens_of


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
    system = count(_system(assistant, Thread()))
    fixed = system + count(message)
    total = max(budgets.total, fixed)
    wants = {
        "recent": Want(sum(map(tokens_of, thread.recent)), budgets.recent, grows=True),
        "entities": Want(count(entities.render(thread.entities)), budgets.entities),
        "summary": Want(count(thread.summary), budgets.summary),
    }
    room = share(min(total - fixed, budgets.memory), wants)
    fitted = _fitted(thread, room)
    prompt = load("saegim.chat", "answer").step(
        _messages(fitted.recent, message), **_values(assistant, fitted)
    )
    blocks = _blocks(thread, fitted, room, budgets, (system, count(message)))
    use = ContextUse(sum(block.tokens for block in blocks), total, raised=total > budgets.total)
    return Context(prompt, fitted, message, blocks, use)


def _fitted(thread: Thread, room: dict[str, int]) -> Thread:
    return Thread(
        summary=bounded(thread.summary, tokens=room["summary"]),
        entities=entities.fit(thread.entities, room["entities"]),
        recent=fit_recent(thread.recent, room["recent"]),
    )


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


def _system(assistant: Assistant, thread: Thread) -> str:
    return load("saegim.chat", "answer").render(**_values(assistant, thread))


def _blocks(
    thread: Thread,
    fitted: Thread,
    room: dict[str, int],
    budgets: Budgets,
    fixed: tuple[int, int],
) -> tuple[BlockUse, ...]:
    """What each block took of the room it got, and how many of its items it left out."""
    system, message = fixed
    said, kept = (len(analyse.sentences(each.summary)) for each in (thread, fitted))
    remembered = count(entities.render(fitted.entities))
    turns = sum(map(tokens_of, fitted.recent))
    return (
        BlockUse("system", system, budgets.system, 1, 0),
        BlockUse("summary", count(fitted.summary), room["summary"], kept, said - kept),
        BlockUse(
            "entities",
            remembered,
            room["entities"],
            len(fitted.entities),
            len(thread.entities) - len(fitted.entities),
        ),
        BlockUse(
            "recent",
            turns,
            room["recent"],
            len(fitted.recent),
            len(thread.recent) - len(fitted.recent),
        ),
        BlockUse("message", message, budgets.message, 1, 0),
    )

"""The context of a turn: blocks in order, each within its token budget (TN5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from saegim.domain.tenancy import Assistant
from saegim.domain.turn import Exchange
from saegim.search.tokens import count, cut
from saegim.steps.prompts import load
from saegim.steps.types import Message, StepPrompt
from saegim.usage.trace import BlockUse

SHORTENED = " […]"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens a block may take."""

    system: int = 1_500
    recent: int = 1_500
    message: int = 100
    shortened_reply: int = 60


@dataclass(frozen=True, slots=True)
class Context:
    """What the model is shown, and what became of each block."""

    prompt: StepPrompt
    recent: tuple[Exchange, ...]
    message: str
    blocks: tuple[BlockUse, ...]


def assemble(
    assistant: Assistant, recent: Sequence[Exchange], message: str, budgets: Budgets
) -> Context:
    """The message is never cut; recent turns give way, the oldest replies first."""
    fitted = fit_recent(recent, budgets)
    messages: list[Message] = []
    for turn in fitted:
        messages.append(Message("user", turn.message))
        if turn.reply:
            messages.append(Message("assistant", turn.reply))
    messages.append(Message("user", message))
    prompt = load("saegim.chat", "answer").step(
        tuple(messages), persona=assistant.persona, policy=assistant.policy
    )
    blocks = (
        BlockUse("system", count(prompt.system), budgets.system, 1, 0),
        BlockUse("recent", _tokens(fitted), budgets.recent, len(fitted), len(recent) - len(fitted)),
        BlockUse("message", count(message), budgets.message, 1, 0),
    )
    return Context(prompt, fitted, message, blocks)


def fit_recent(recent: Sequence[Exchange], budgets: Budgets) -> tuple[Exchange, ...]:
    """Recent turns within their budget: old replies are shortened, then the oldest turns go."""
    turns = list(recent)
    for index, turn in enumerate(turns):
        if _tokens(turns) <= budgets.recent:
            break
        turns[index] = _shortened(turn, budgets.shortened_reply)
    while turns and _tokens(turns) > budgets.recent:
        turns.pop(0)
    return tuple(turns)


def _shortened(turn: Exchange, limit: int) -> Exchange:
    if count(turn.reply) <= limit:
        return turn
    return replace(turn, reply=cut(turn.reply, limit).rstrip() + SHORTENED)


def _tokens(turns: Sequence[Exchange]) -> int:
    return sum(count(turn.message) + count(turn.reply) for turn in turns)

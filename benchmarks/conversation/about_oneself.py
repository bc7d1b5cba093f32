"""Questions about oneself, with and without synthesis: what it changes in answers and prompts.

The answer is judged as in the rest of the measure. The prompt is the one that a model would get;
it is judged by the expected facts that it has, because a model cannot tell what it is not given.
A second prompt has room for few memories, as with a slow model or a memory that has grown.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import get_args

from benchmarks.conversation.judge import named
from benchmarks.conversation.messages import (
    ABOUT_ONESELF,
    SOCIAL,
    Half,
    Message,
    SummaryHalf,
    read,
)
from benchmarks.conversation.run import JudgedAnswer, Users, playing
from benchmarks.library.bench_stack import stores
from benchmarks.page import number, table
from saegim.chat.context.assembly import Context
from saegim.conversations.types import Controls

SelfSet = Half | SummaryHalf
SETS: tuple[SelfSet, ...] = (*get_args(Half), *get_args(SummaryHalf))
NAME = "about_oneself"
FEW_TOKENS = 300
_MEASURES = ("", "facts_", "context_", "tokens_", "few_context_", "few_tokens_")
_HEAD = (
    "questions", "n", "right, without", "with", "facts named, without", "with",
    "facts in the prompt, without", "with", "tokens, without", "with",
    f"facts with {FEW_TOKENS} tokens of memories, without", "with", "tokens, without", "with",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SelfAnswer:
    """A judged answer; `facts` and `context` are the shares of the expected facts that the answer
    and the prompt have, `tokens` those of the prompt; `few_`: of the prompt with few memories."""

    judged: JudgedAnswer
    facts: float
    context: float
    tokens: int
    few_context: float
    few_tokens: int


def questions_of(half: SelfSet) -> list[Message]:
    """Returns what a set's users tell and ask about themselves.

    Questions to documents are left out, but for the users who tell much: there they fill memory.
    """
    messages = read(half)
    return messages if half in get_args(SummaryHalf) else [m for m in messages if m.kind in SOCIAL]


async def ask(messages: Sequence[Message], *, synthesis: bool) -> AsyncGenerator[SelfAnswer]:
    """Sends all messages and yields the answers to questions about oneself that expect a fact."""
    async with (
        stores(durable=False) as at,
        playing(at, messages, synthesis=synthesis) as users,
    ):
        for message in messages:
            if message.kind in ABOUT_ONESELF and (message.must or message.first):
                yield await _ask(users, message)
            else:
                await users.send(message)


async def _ask(users: Users, message: Message) -> SelfAnswer:
    context = await users.context(message)
    few = await users.context(message, Controls(memory_tokens=FEW_TOKENS))
    judged = await users.send(message)
    groups = (*message.must, *message.first)
    return SelfAnswer(
        judged,
        named(groups, judged.answer.text) / len(groups),
        named(groups, remembered(context)) / len(groups),
        context.use.tokens,
        named(groups, remembered(few)) / len(groups),
        few.use.tokens,
    )


def remembered(context: Context) -> str:
    """Returns what a prompt has of the user: memories and the conversation, without documents."""
    found, thread = context.found, context.thread
    pieces = [piece.shown for piece in (*found.pinned, *found.profile, *found.memories)]
    turns = [f"{turn.message}\n{turn.reply or ''}" for turn in thread.recent]
    return "\n".join([*pieces, *turns, thread.summary])


def figures_of(
    half: str, without: Sequence[SelfAnswer], with_: Sequence[SelfAnswer]
) -> dict[str, float]:
    """Returns the figures of a set; n and the shares of right answers also tell all sets' sum."""
    found: dict[str, float] = {f"{NAME}.{half}.n": float(len(with_))}
    for side, answers in (("without", without), ("with", with_)):
        for measure in _MEASURES:
            values = (_value(each, measure) for each in answers)
            found[f"{NAME}.{half}.{measure}{side}"] = fmean(values)
    pairs = list(zip(without, with_, strict=True))
    right = [(before.judged.right, after.judged.right) for before, after in pairs]
    found[f"{NAME}.{half}.gained"] = float(sum(after > before for before, after in right))
    found[f"{NAME}.{half}.lost"] = float(sum(after < before for before, after in right))
    return found


def _value(answer: SelfAnswer, measure: str) -> float:
    return getattr(answer, measure[:-1]) if measure else float(answer.judged.right)


def summed(figures: Mapping[str, float]) -> dict[str, float]:
    """Returns the shares over all sets that are measured, by their number of questions."""
    counts = {half: figures.get(f"{NAME}.{half}.n", 0.0) for half in SETS}
    total = sum(counts.values())
    found = {f"{NAME}.n": total}
    for measure in _MEASURES:
        for side in ("without", "with"):
            weighted = (
                count * figures[f"{NAME}.{half}.{measure}{side}"]
                for half, count in counts.items()
                if count
            )
            found[f"{NAME}.{measure}{side}"] = sum(weighted) / total
    return found


def page(figures: Mapping[str, float]) -> str:
    """Returns the table of all sets, and their sum."""
    rows: list[list[str]] = []
    for half in (*SETS, ""):
        prefix = f"{NAME}.{half}." if half else f"{NAME}."
        if f"{prefix}n" not in figures:
            continue
        values = [
            _cell(measure, figures[f"{prefix}{measure}{side}"])
            for measure in _MEASURES
            for side in ("without", "with")
        ]
        rows.append([f"`{half}`" if half else "all", number(figures[f"{prefix}n"]), *values])
    return table(_HEAD, rows, "<" + ">" * (len(_HEAD) - 1))


def _cell(measure: str, value: float) -> str:
    return f"{value:,.0f}" if "tokens" in measure else f"{value:.3f}"

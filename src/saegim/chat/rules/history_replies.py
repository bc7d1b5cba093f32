"""Replies to questions about the conversation: what was my last question?"""

import re
from collections.abc import Sequence
from datetime import datetime

from saegim.chat.context.evidence import unmarked
from saegim.chat.rules.intents import read
from saegim.chat.rules.types import RuleTask
from saegim.chat.types import Evidence
from saegim.conversations.types import Exchange
from saegim.locales import N_
from saegim.memory.dates.resolution import bounds, find_dates
from saegim.text.analysis import fold, word_keys
from saegim.text.intents import Intent
from saegim.text.questions import is_question

LAST_MESSAGE = N_("Your last message was: “{message}”")
FIRST_MESSAGE = N_("Your first message in this conversation was: “{message}”")
EARLIER_MESSAGE = N_("You asked: “{message}”")
EARLIER_MESSAGES = N_("You wrote:")
NO_HISTORY = N_("I found no conversation from then.")
ASKED_TO_FORGET = N_("You asked me to forget something.")
_MOST_SHOWN = 5
_QUOTED_CHARACTERS = 200

_FIRST = re.compile(r"처음|첫|\bfirst\b")
_LAST = re.compile(
    r"방금|아까|직전|마지막|바로 전|조금 전|좀 전|이전|\blast\b|\bprevious\b|\bjust\b|\bearlier\b"
)
_QUESTIONS = re.compile(r"물어|물었|여쭤|질문|\bask|\bquestion")
_SPAN = re.compile(r"지난|어제|그제|저번|\byesterday\b|\blast (?:week|month|year|time|session)\b")


def about_history(task: RuleTask) -> str:
    """Repeat what the user wrote before: the last message, the first, or those of a time."""
    folded = fold(task.context.message)
    recent = [turn for turn in task.context.thread.recent if turn.message]
    if _SPAN.search(folded):
        found = [memory for memory in task.context.memories if _is_from(task, memory)]
        texts = [each.said.strip() for each in found]
        return _earlier(task, [each for each in texts if each])
    about = _about_topic(task)
    if about is not None:
        return _repeated(
            task, LAST_MESSAGE if about == recent[-1] else EARLIER_MESSAGE, about.message
        )
    if _FIRST.search(folded) and recent and task.inputs.first_message:
        return _repeated(task, FIRST_MESSAGE, task.inputs.first_message)
    if recent and (_LAST.search(folded) or len(recent) == 1):
        asks = _QUESTIONS.search(folded) is not None
        asked = [turn for turn in recent if not asks or is_question(turn.message)] or recent
        return _repeated(task, LAST_MESSAGE, asked[-1].message)
    return _earlier(task, [turn.message for turn in recent])


_ASKING = re.compile(r"관련|대해|에 관한|\babout\b")


def _about_topic(task: RuleTask) -> Exchange | None:
    """Return the last question on a topic: "what did I ask about travel?"."""
    if not _ASKING.search(fold(task.context.message)):
        return None
    wanted = word_keys(task.context.message)
    for turn in reversed(task.context.thread.recent):
        if wanted & word_keys(turn.message) and is_question(turn.message):
            return turn
    return None


def _is_from(task: RuleTask, memory: Evidence) -> bool:
    """Return whether a memory is a turn of the time that the message names."""
    now = task.inputs.now
    spans = [
        bounds(each, str(now.tzinfo))
        for each in find_dates(task.context.message, now, str(now.tzinfo))
    ]
    if memory.turn is None:
        return False
    day = datetime.fromisoformat(memory.title).replace(tzinfo=now.tzinfo, hour=12)
    return any(first <= day < past for first, past in spans)


def _repeated(task: RuleTask, text: str, message: str) -> str:
    if read(message).intent is Intent.FORGET:
        return task.say(ASKED_TO_FORGET)
    return task.say(text, message=unmarked(_cut(message)))


def _earlier(task: RuleTask, messages: Sequence[str]) -> str:
    shown = [
        f"- {unmarked(_cut(message))}"
        for message in messages[-_MOST_SHOWN:]
        if read(message).intent is not Intent.FORGET
    ]
    return "\n".join([task.say(EARLIER_MESSAGES), "", *shown]) if shown else task.say(NO_HISTORY)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_CHARACTERS else line[:_QUOTED_CHARACTERS].rstrip() + "…"

"""Who is answered: a person who mentions us in a guild, as often as the guild allows."""

import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

MENTION = re.compile(r"<@!?(\d+)>")
MINUTE = 60.0
# Beyond so many names those that were quiet for a minute are looked for and forgotten.
MOST_NAMES = 1_000


class ReplyDecision(StrEnum):
    """What becomes of a message."""

    PASS_OVER = "pass_over"  # noqa: S105 - the name of a verdict
    """Of a bot, or outside a guild."""
    COUNT = "count"
    """Only counts for the ranking: nothing of it is read further."""
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """What the gate looks at."""

    by_person: bool
    in_guild: bool
    mentions: frozenset[int]


def judge(heard: IncomingMessage, me: int) -> ReplyDecision:
    """Everybody and roles are not us: only our own mention opens the gate."""
    if not heard.by_person or not heard.in_guild:
        return ReplyDecision.PASS_OVER
    return ReplyDecision.ANSWER if me in heard.mentions else ReplyDecision.COUNT


def question(content: str, me: int, names: Mapping[int, str]) -> str:
    """What is asked: without our own mention, and with others' by name."""

    def spoken(found: re.Match[str]) -> str:
        who = int(found[1])
        return "" if who == me else f"@{names.get(who, 'someone')}"

    lines = MENTION.sub(spoken, content).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


class Limiter:
    """How often something happened within the last minute.

    Counted in this process: a guild belongs to one shard, so to one process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._times: dict[str, deque[float]] = {}

    def admit(self, limits: Mapping[str, int]) -> bool:
        """Whether each of these has room for one more; takes it only where all have."""
        now = self._now()
        for name in [*limits, *(self._times if len(self._times) > MOST_NAMES else ())]:
            self._forget(name, now - MINUTE)
        if any(len(self._times.get(name, ())) >= most for name, most in limits.items()):
            return False
        for name in limits:
            self._times.setdefault(name, deque()).append(now)
        return True

    def _forget(self, name: str, before: float) -> None:
        times = self._times.get(name)
        while times and times[0] <= before:
            times.popleft()
        if times is not None and not times:
            del self._times[name]

"""Decides which messages are answered: mentions by users in a guild, within rate limits."""

import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from saegim.domain.scope import Locale

HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")
MENTION = re.compile(r"<@!?(\d+)>")
MINUTE = 60.0
# With more names, expired ones are removed.
MOST_NAMES = 1_000


class ReplyDecision(StrEnum):
    """What to do with a message."""

    PASS_OVER = "pass_over"  # noqa: S105 - not a password
    """By a bot, or outside a guild."""
    COUNT = "count"
    """Only counted, for the ranking."""
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    by_person: bool
    in_guild: bool
    mentions: frozenset[int]


def judge(message: IncomingMessage, me: int) -> ReplyDecision:
    """Decide; mentions of everyone or of a role do not count."""
    if not message.by_person or not message.in_guild:
        return ReplyDecision.PASS_OVER
    return ReplyDecision.ANSWER if me in message.mentions else ReplyDecision.COUNT


def question(content: str, me: int, names: Mapping[int, str]) -> str:
    """Return the text without mentions of the bot, and with names for mentions of users."""

    def replace(mention: re.Match[str]) -> str:
        user = int(mention[1])
        return "" if user == me else f"@{names.get(user, 'someone')}"

    lines = MENTION.sub(replace, content).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def spoken(text: str, otherwise: Locale) -> Locale:
    """Return the language of a message, or the other one if it has no words."""
    if HANGUL.search(text):
        return "ko"
    return "en" if re.search(r"[A-Za-z]{2}", text) else otherwise


class Limiter:
    """Rate limit per minute, in this process: each guild belongs to one process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._times: dict[str, deque[float]] = {}

    def admit(self, limits: Mapping[str, int]) -> bool:
        """Return whether all names are below their limits; counts only if they are."""
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

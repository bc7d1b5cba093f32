"""What a rule of masking is: it returns the spans to mask in the view of a text."""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum


class MaskKind(StrEnum):
    NATIONAL_ID = "national_id"
    CARD_NUMBER = "card_number"
    ACCOUNT_NUMBER = "account_number"
    BUSINESS_NUMBER = "business_number"
    PASSPORT = "passport"
    DRIVER_LICENSE = "driver_license"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    PHONE = "phone"
    EMAIL = "email"

    @property
    def placeholder(self) -> str:
        return f"[{self.name}]"


type Span = tuple[int, int]
type Rule = Callable[[str], Iterable[Span]]
# Rules without a kind only hide their matches from later ones.
type Rules = list[tuple[MaskKind | None, Rule]]
type Check = Callable[[re.Match[str]], bool]

# Replaces what was matched, so that later rules do not match across it.
BARRIER = "\0"


def matching(pattern: str, check: Check | None = None) -> Rule:
    """Build a rule that masks the last group of the pattern, or all of it, if the check passes."""
    compiled = re.compile(pattern, re.ASCII)

    def rule(view: str) -> Iterator[Span]:
        for match in compiled.finditer(view):
            if check is None or check(match):
                yield match.span(match.lastindex or 0)

    return rule

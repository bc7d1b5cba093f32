"""Candidate memories: statements of a turn, normalised, masked and verified by their quote."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import Field

from saegim.memory.types import CORE, MemoryType
from saegim.text.analysis import word_keys
from saegim.text.masking import mask, mask_contacts
from saegim.text.own_words import own_words
from saegim.text.tokens import cut

CONTENT_TOKENS = 150
# At least this share of a statement's words are the person's own, or their own words are stored.
OWN_SHARE = 0.5
QUOTE_CHARACTERS = 500
_CORE_IMPORTANCE = 0.8
_SPACE = re.compile(r"\s+")
# Models write "for ever" as 9999-12-31. Another zone's midnight of such a day is in no year.
Day = Annotated[date, Field(ge=date(1000, 1, 1), lt=date(3000, 1, 1))]
# What models call the person.
PERSON = word_keys("the user 사용자")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def begins(day: date | None, zone: ZoneInfo) -> datetime | None:
    """Return the first moment of a day."""
    return day and datetime.combine(day, time.min, zone).astimezone(UTC)


def ends(day: date | None, zone: ZoneInfo) -> datetime | None:
    """Return the last moment of a day."""
    return day and datetime.combine(day, time.max, zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class StatementWeights:
    """How much a statement matters, how long it is valid, how likely it is needed; 0 to 1."""

    salience: float
    stability: float
    future_use: float

    def importance(self, *, core: bool = False) -> float:
        """Combine the weights; core statements have a lower bound."""
        combined = 0.4 * self.salience + 0.25 * self.stability + 0.35 * self.future_use
        return round(max(combined, _CORE_IMPORTANCE) if core else combined, 3)


@dataclass(frozen=True, slots=True)
class CandidateMemory:
    """A statement of a turn; `quote` occurs in the turn verbatim."""

    type: MemoryType
    content: str
    quote: str
    topic: str
    weights: StatementWeights
    tags: frozenset[str] = frozenset()
    pii: frozenset[str] = frozenset()
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    @property
    def importance(self) -> float:
        return self.weights.importance(core=CORE in self.tags)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Time, time zone and masking of the author of a turn."""

    said_at: datetime
    time_zone: str
    mask_contacts: bool = True


@dataclass(frozen=True, slots=True)
class ContactMasking:
    """Tenants whose memories keep phone numbers and e-mail addresses."""

    unmasked: frozenset[UUID] = frozenset()

    def contacts(self, tenant: UUID) -> bool:
        """Return whether contacts in the memories of a tenant are masked."""
        return tenant not in self.unmasked


def own_wording(
    statement: str, quote: str, messages: Iterable[str], replaced: Iterable[str] = ()
) -> str:
    """Return a statement of a model, or its quote if most of its words are neither the person's own
    nor those of memories that it changes. Dates that a model adds do not count."""
    own = word_keys(" ".join((*map(own_words, messages), *replaced)))
    words = word_keys(_ISO_DATE.sub(" ", statement)) - PERSON
    return statement if len(words & own) >= OWN_SHARE * len(words) else quote


def normalise(candidate: CandidateMemory, speaker: Speaker) -> CandidateMemory:
    """Cut and mask a statement for storage."""
    contacts = speaker.mask_contacts
    content = cut(_SPACE.sub(" ", candidate.content).strip(), CONTENT_TOKENS).strip()
    content, kinds = masked(content, contacts)
    quote, _ = masked(candidate.quote[:QUOTE_CHARACTERS], contacts)
    topic, _ = masked(_SPACE.sub(" ", candidate.topic).strip()[:60], contacts)
    return replace(candidate, content=content, quote=quote, topic=topic, pii=candidate.pii | kinds)


def masked(text: str, contacts: bool = True) -> tuple[str, frozenset[str]]:
    """Mask a text; return it with the kinds of what was masked."""
    first = mask(text)
    if not contacts:
        return first.text, frozenset(kind.value for kind in first.kinds)
    second = mask_contacts(first.text)
    return second.text, frozenset(kind.value for kind in (*first.kinds, *second.kinds))


def verbatim(quote: str, *texts: str) -> str | None:
    """Return the quote as written in one of the texts, ignoring whitespace; None if absent."""
    words = [re.escape(word) for word in quote.split()]
    if not words:
        return None
    pattern = re.compile(r"\s+".join(words))
    for text in texts:
        match = pattern.search(text)
        if match is not None:
            return match.group()
    return None

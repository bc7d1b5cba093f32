"""Values of rate limits and budgets."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID


class Resource(StrEnum):
    REQUESTS = "requests"
    TOKENS = "tokens"
    MONEY = "microdollars"


Subject = Literal["key", "user", "tenant", "provider"]


MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so much of a resource in any window of so many seconds."""

    subject: Subject
    resource: Resource
    window_seconds: int
    most: int


@dataclass(frozen=True, slots=True)
class TenantLimits:
    """The limits that a tenant has of its own, and the usual ones for the rest."""

    own: list[Limit]
    usual: list[Limit]

    @property
    def all(self) -> list[Limit]:
        return [*self.own, *self.usual]


@dataclass(frozen=True, slots=True)
class LimitMeter:
    """A limit at work for one subject."""

    limit: Limit
    of: str


@dataclass(frozen=True, slots=True)
class Charge:
    """A meter, how much is to be used of it, and what is used up already by the time it says."""

    meter: LimitMeter
    amount: int


@dataclass(frozen=True, slots=True)
class QuotaDecision:
    """Whether all charges fit, when they would, and how full the fullest of them is now."""

    refused: LimitMeter | None
    retry_after: float
    fullest: float


@dataclass(frozen=True, slots=True)
class Reservation:
    """What was set aside for a turn, by whose key."""

    key: UUID
    tokens: int
    microdollars: int
    lite_only: bool

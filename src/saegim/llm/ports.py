"""Interfaces of models, embedders, rate limits and budgets, and what may leave to a model."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Literal, Protocol
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import ModelCall

EPISODE = "episode"
"""The type of an earlier turn, which is a memory but no record."""
DERIVED = "derived"
"""The type of what rests on records of any type: it leaves only if all types may."""

NameFinder = Callable[[str], Iterable[str]]
"""Finds the names of people in a text."""


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """What a provider must not get. By default, everything may leave."""

    withheld_types: frozenset[str] = frozenset()
    withholds_pinned: bool = False
    uses_pseudonyms: bool = False

    def allows(self, record_type: str, *, pinned: bool) -> bool:
        """Return whether a record may leave."""
        if (pinned and self.withholds_pinned) or record_type in self.withheld_types:
            return False
        return record_type != DERIVED or not self.withheld_types

    def stricter(self, other: "EgressPolicy") -> "EgressPolicy":
        """Return the policy that withholds what either does."""
        return EgressPolicy(
            self.withheld_types | other.withheld_types,
            self.withholds_pinned or other.withholds_pinned,
            self.uses_pseudonyms or other.uses_pseudonyms,
        )


EVERYTHING = EgressPolicy()
"""The policy of a model that may read every memory."""


if TYPE_CHECKING:
    # Takes a second to load and is not needed offline.
    from pydantic_ai.models import Model

EmbedKind = Literal["query", "document"]


class ModelRole(StrEnum):
    """The kind of work a model does; each role has its own model."""

    LITE = "lite"
    STRONG = "strong"
    SUMMARIZER = "summarizer"
    EXTRACTOR = "extractor"
    ASSESSOR = "assessor"
    JUDGE = "judge"


ANSWER_ROLES = (ModelRole.LITE, ModelRole.STRONG)
"""Roles that write answers, with tools if their model takes them."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Time limits in seconds: of a step before the answer, the answer's first token, the whole
    turn, and a call in the background. Without time for a step, there is none before the
    answer."""

    step: float = 6.0
    first_token: float = 10.0
    turn: float = 30.0
    background: float = 60.0

    @property
    def has_steps(self) -> bool:
        """Whether the model is asked before the answer, too."""
        return self.step > 0


@dataclass(frozen=True, slots=True)
class RoleModel:
    model: "Model"
    timeout_seconds: float
    retries: int
    limits: TimeLimits | None = None
    """Time limits of a tenant's own model; None uses those of the settings."""
    api_key: str | None = field(default=None, repr=False)
    """Removed from messages of the provider."""
    egress: EgressPolicy = EVERYTHING
    connection: str | None = None
    """The name of the tenant's connection; None for a model of the settings."""
    unsupported: frozenset[str] = frozenset()
    """Settings of a request that are not sent to it."""
    takes_tools: bool = True
    """False if it is known to take no tools; see `TenantModels.takes_tools`."""


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model of one of the tenant's connections, for the roles that write answers."""

    connection: UUID
    model: str


class Models(Protocol):
    def for_role(self, role: ModelRole) -> RoleModel | None:
        """Return the role's model, or None if none is configured."""
        ...


class TenantModels(Protocol):
    """The models that tenants connected themselves."""

    async def models_of(self, tenant: UUID, answers: ChosenModel | None = None) -> Models | None:
        """Return the tenant's models, or None if it uses those of the environment. `answers` is the
        model of the roles that write answers, if its connection exists.

        Raises StoreUnavailable if that is unknown.
        """
        ...

    def takes_tools(self, model: RoleModel) -> bool:
        """Return whether a model takes tools, as far as is known."""
        ...

    async def refuse_tools(self, tenant: UUID, model: RoleModel) -> bool:
        """Offer a model no tools from now on, if it refuses them; return whether it does.

        A short request makes sure, as a client's tool may be what was refused. Stored for a
        tenant's connection, else remembered by this process. Raises StoreUnavailable.
        """
        ...


class ProviderGate(Protocol):
    """Rate limits of the model providers."""

    async def admits(self, provider: str) -> bool:
        """Count a request and return whether it is within the limits."""
        ...

    async def used(self, provider: str, call: ModelCall) -> None:
        """Count the tokens of a call."""
        ...


class CallBudget(Protocol):
    """A tenant's budget for background model calls."""

    async def reserve_call(self, tenant: UUID) -> bool:
        """Reserve budget for a call; return False if it is used up."""
        ...

    async def settle_call(self, tenant: UUID, call: ModelCall) -> None:
        """Replace the reservation by what the call used."""
        ...


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """Typical cosines of an embedder, which differ widely between embedders."""

    unrelated: float = 0.0
    matching: float = 1.0

    def similarity(self, cosine: float) -> float:
        """Return 0 for unrelated and 1 for matching texts; not limited to this range."""
        return (cosine - self.unrelated) / (self.matching - self.unrelated)


class Embedder(Protocol):
    """Embeds text as unit vectors of one fixed length."""

    @property
    def name(self) -> str:
        """Model and dimensions; vectors of different names are not comparable."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def scale(self) -> SimilarityScale: ...

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        """Return one vector for each text, in order."""
        ...


def unit(vector: Sequence[float], dimensions: int, name: str) -> list[float]:
    """Scale a vector to length 1. Raises ModelUnavailable for an unusable one."""
    if len(vector) != dimensions:
        raise ModelUnavailable(f"{name}: a vector of {len(vector)} values")
    length = sqrt(sum(value * value for value in vector))
    if length == 0.0 or not isfinite(length):
        raise ModelUnavailable(f"{name}: a vector without direction")
    return [value / length for value in vector]

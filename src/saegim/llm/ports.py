"""What model steps need from outside: a model per role, and an embedder."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol
from uuid import UUID

from saegim.llm.model_call import ModelCall

if TYPE_CHECKING:
    # Takes a second to load: not for those who run offline.
    from pydantic_ai.models import Model

EmbedKind = Literal["query", "document"]


class ModelRole(StrEnum):
    """Which part of the work a model does; each role has its own model."""

    LITE = "lite"
    STRONG = "strong"
    SUMMARIZER = "summarizer"
    EXTRACTOR = "extractor"
    ASSESSOR = "assessor"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The model that plays a role, and how long one call of it may take."""

    model: "Model"
    timeout_seconds: float
    retries: int


class Models(Protocol):
    """Which model plays which role."""

    def for_role(self, role: ModelRole) -> RoleModel | None:
        """The role's model, or None where none is configured and the twin works instead."""
        ...


class ProviderGate(Protocol):
    """Keeps what is asked of a provider within its limits."""

    async def admits(self, provider: str) -> bool:
        """Whether the provider may be asked once more now; counts the request if so."""
        ...

    async def used(self, provider: str, call: ModelCall) -> None:
        """Counts what a call used."""
        ...


class CallBudget(Protocol):
    """Keeps the model calls that nobody waits for within a tenant's budget."""

    async def reserve_call(self, tenant: UUID) -> bool:
        """Sets aside what a call may use; False where the budget is used up."""
        ...

    async def settle_call(self, tenant: UUID, call: ModelCall) -> None:
        """Counts what a call used in place of what was set aside for it."""
        ...


class OpenGate:
    """No limits."""

    async def admits(self, provider: str) -> bool:  # noqa: ARG002 - the port's signature
        return True

    async def used(self, provider: str, call: ModelCall) -> None:
        """Nothing is counted."""


class Embedder(Protocol):
    """Turns text into unit vectors of one fixed length."""

    @property
    def name(self) -> str:
        """Names model and dimensions; vectors of another name must not be compared with these."""
        ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        """One vector for each text, in order."""
        ...

"""Model connections, the models of roles, and results of test calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from saegim.llm.egress_policy import EgressPolicy
from saegim.llm.model_call import ModelFault
from saegim.llm.ports import ModelRole, TimeLimits
from saegim.llm.providers import ProviderName

RoleSource = Literal["connection", "environment", "none"]


@dataclass(frozen=True, slots=True)
class NewConnection:
    """A provider's address, key and time limits, as given; None uses the provider's default.

    With the id of a stored connection it replaces that one, and None keeps what is stored."""

    provider: ProviderName
    name: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    step_seconds: float | None = None
    first_token_seconds: float | None = None
    turn_seconds: float | None = None
    background_seconds: float | None = None
    id: UUID | None = None


@dataclass(frozen=True, slots=True)
class ModelConnection:
    """A stored connection. `key_hint` is the last characters of its key: empty for a short key,
    None without one."""

    id: UUID
    tenant: UUID
    name: str
    provider: ProviderName
    base_url: str
    key_hint: str | None
    step_seconds: float
    first_token_seconds: float
    turn_seconds: float
    background_seconds: float
    created_at: datetime
    withheld_types: Sequence[str] = ()
    withholds_pinned: bool = False
    uses_pseudonyms: bool = False

    @property
    def egress(self) -> EgressPolicy:
        """What must not leave to the provider."""
        types = frozenset(self.withheld_types)
        return EgressPolicy(types, self.withholds_pinned, self.uses_pseudonyms)

    @property
    def limits(self) -> TimeLimits:
        return TimeLimits(
            self.step_seconds, self.first_token_seconds, self.turn_seconds, self.background_seconds
        )


@dataclass(frozen=True, slots=True)
class ConnectedRole:
    """The model of a role, with the key of its connection."""

    role: ModelRole
    model: str
    connection: ModelConnection
    api_key: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """The model that a tenant's role uses, and where it is configured."""

    role: ModelRole
    source: RoleSource
    model: str | None = None
    connection_id: UUID | None = None
    connection: str | None = None
    """The name of the connection, or the host of the environment's provider."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """The result of a test call. Prices are in US dollars per million tokens, if known."""

    role: ModelRole
    model: str
    ok: bool
    seconds: float
    fault: ModelFault | None = None
    status: int | None = None
    message: str | None = None
    input_price: Decimal | None = None
    output_price: Decimal | None = None


type ModelsByRole = Mapping[ModelRole, str]

"""Model connections, the models of roles, and results of test calls."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from saegim.llm.model_call import ModelFault
from saegim.llm.ports import EgressPolicy, ModelRole, TimeLimits
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
    without_tools: Collection[str] | None = None
    """Models that take no tools, as the test found."""


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
    without_tools: Sequence[str] = ()
    """Models that take no tools, as a test or a refusal found."""

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
    base_url: str | None = None
    takes_tools: bool | None = None
    """Whether the model of an answering role takes tools; None for other roles."""
    usd_per_1000_turns: Decimal | None = Decimal(0)
    """Estimated cost of the role in 1,000 turns; None if the price is unknown."""


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
    takes_tools: bool | None = None
    """Whether the model of an answering role called a tool; None if unknown, or another role."""

    @property
    def usd_per_1000_turns(self) -> Decimal | None:
        """Return the estimated cost of the role in 1,000 turns, or None if it is unknown."""
        return cost_of_turns(self.role, self.input_price, self.output_price)


@dataclass(frozen=True, slots=True)
class TokensPerTurn:
    """Mean tokens of a turn, over all requests of a role."""

    input: int
    output: int


TOKENS_PER_TURN: Mapping[ModelRole, TokensPerTurn] = {
    # The reply.
    ModelRole.LITE: TokensPerTurn(4_750, 350),
    # The background: extraction, summary and title, which presets give to one model.
    ModelRole.EXTRACTOR: TokensPerTurn(920, 200),
}
"""What a turn uses, as `make bench-turn-model` measures it. The other roles work on demand."""


def cost_of_turns(
    role: ModelRole, input_price: Decimal | None, output_price: Decimal | None
) -> Decimal | None:
    """Return the estimated US dollars of a role in 1,000 turns, or None if a price is unknown.

    Prices are of a million tokens.
    """
    tokens = TOKENS_PER_TURN.get(role)
    if tokens is None:
        return Decimal(0)
    if input_price is None or output_price is None:
        return None
    return (tokens.input * input_price + tokens.output * output_price) / 1_000


type ModelsByRole = Mapping[ModelRole, str]

"""Capacity plan: machines, storage and cost of a workload, from measured turns and list prices."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from importlib.resources import files
from typing import Any, Literal, cast

from saegim.llm.metering import price

Part = Literal["api", "worker", "postgres", "redis"]
PARTS: tuple[Part, ...] = ("api", "worker", "postgres", "redis")
DAY_SECONDS = 86_400
MONTH_DAYS = 30
YEAR_DAYS = 365
GIGABYTE = 1_000_000_000
FIGURES = "measured.json"


@dataclass(frozen=True, slots=True)
class RoleUse:
    calls: float
    input_tokens: float
    output_tokens: float

    def times(self, factor: float) -> "RoleUse":
        return RoleUse(self.calls * factor, self.input_tokens * factor, self.output_tokens * factor)


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Resources of one turn with an answer of that many tokens, and of its jobs."""

    answer_tokens: float
    core_seconds: Mapping[str, float]
    roles: Mapping[str, RoleUse]
    postgres_bytes_per_turn: float
    redis_bytes_per_session: float


@dataclass(frozen=True, slots=True)
class TurnCosts:
    """A turn with a short and with a long answer, measured by `make bench-load`."""

    short: TurnCost
    long: TurnCost

    def at(self, answer_tokens: float) -> TurnCost:
        """Return the cost on the line through both measurements."""
        span = self.long.answer_tokens - self.short.answer_tokens
        share = (answer_tokens - self.short.answer_tokens) / span
        return _read(_on_line(asdict(self.short), asdict(self.long), share))


def _on_line(short: dict[str, Any], long: dict[str, Any], share: float) -> dict[str, Any]:
    """Interpolate every number of two nested mappings."""
    return {
        name: _on_line(cast("dict[str, Any]", value), long[name], share)
        if isinstance(value, dict)
        else max(0.0, value + share * (long[name] - value))
        for name, value in short.items()
    }


def measured() -> TurnCosts:
    """Return the measurements of this release."""
    figures = json.loads(files("saegim.usage").joinpath(FIGURES).read_text("utf-8"))
    return TurnCosts(**{length: _read(cost) for length, cost in figures.items()})


def _read(cost: dict[str, Any]) -> TurnCost:
    roles = {role: RoleUse(**use) for role, use in cost.pop("roles").items()}
    return TurnCost(roles=roles, **cost)


@dataclass(frozen=True, slots=True)
class Workload:
    """Sessions per day, turns per session, and the peak."""

    sessions_per_day: int
    turns: int
    peak: float = 3.0
    """Ratio of the busiest hour to the mean."""
    escalated: float = 0.2
    """Share of turns that the strong model answers."""
    answer_tokens: int = 400

    @property
    def turns_per_day(self) -> int:
        return self.sessions_per_day * self.turns

    @property
    def mean_turns_per_s(self) -> float:
        return self.turns_per_day / DAY_SECONDS


@dataclass(frozen=True, slots=True)
class Machines:
    cores: int = 8
    busy: float = 0.6
    """Highest CPU load in the busiest hour."""
    postgres_cores: int = 32
    postgres_gb: int = 4_000


@dataclass(frozen=True, slots=True)
class Money:
    """The monthly cost of a role at list prices; None without a price."""

    model: str
    use_per_day: RoleUse
    usd_per_month: Decimal | None


@dataclass(frozen=True, slots=True)
class CapacityPlan:
    workload: Workload
    peak_turns_per_s: float
    cores: Mapping[str, float]
    machines: Mapping[str, int]
    cells: int
    postgres_gb_per_year: float
    redis_gb: float
    roles: Mapping[str, Money] = field(default_factory=dict[str, Money])

    @property
    def usd_per_month(self) -> Decimal:
        """The cost of all roles with known prices."""
        each = (money.usd_per_month or Decimal(0) for money in self.roles.values())
        return sum(each, Decimal(0))


def plan(
    workload: Workload,
    costs: TurnCosts,
    models: Mapping[str, str],
    machines: Machines | None = None,
) -> CapacityPlan:
    """Plan machines, storage and cost. `models` names the model of each role."""
    machines = machines or Machines()
    take = costs.at(workload.answer_tokens)
    peak = workload.mean_turns_per_s * workload.peak
    cores = {part: peak * take.core_seconds[part] / machines.busy for part in PARTS}
    stored = workload.turns_per_day * take.postgres_bytes_per_turn * YEAR_DAYS / GIGABYTE
    cells = max(
        1,
        math.ceil(cores["postgres"] / machines.postgres_cores),
        math.ceil(stored / machines.postgres_gb),
    )
    return CapacityPlan(
        workload=workload,
        peak_turns_per_s=peak,
        cores=cores,
        machines={part: math.ceil(cores[part] / machines.cores) for part in ("api", "worker")},
        cells=cells,
        postgres_gb_per_year=stored,
        # Working memory expires a day after a session's last turn.
        redis_gb=workload.sessions_per_day * take.redis_bytes_per_session / GIGABYTE,
        roles=_money(workload, take, models),
    )


def _money(workload: Workload, take: TurnCost, models: Mapping[str, str]) -> dict[str, Money]:
    per_turn = dict(take.roles)
    answers = per_turn["lite"]
    per_turn["strong"] = answers.times(workload.escalated)
    per_turn["lite"] = answers.times(1 - workload.escalated)
    return {
        role: _monthly(models.get(role, ""), use.times(workload.turns_per_day))
        for role, use in per_turn.items()
    }


def _monthly(model: str, day: RoleUse) -> Money:
    tokens = round(day.input_tokens), round(day.output_tokens)
    daily = price(model, *tokens) if model else None
    return Money(model, day, None if daily is None else daily * MONTH_DAYS)

"""Limit requests, tokens and money per key, user, tenant and provider."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from saegim.domain.errors import Invalid, LimitReached, OptionalServiceDown
from saegim.domain.etags import ExpectedVersion
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller, Scope
from saegim.llm.model_call import ModelCall
from saegim.quotas.counters import (
    MICRO,
    Charge,
    Limit,
    LimitMeter,
    QuotaDecision,
    RedisReservations,
    Reservation,
    Resource,
    TenantLimits,
)
from saegim.quotas.repository import PostgresLimits

# Tenants with deferred charges while the shared counters are down.
MOST_DEFERRED = 10_000
# From this share of a budget on, turns use the lite model; at 1 they are refused.
LITE_MODEL_THRESHOLD = 0.8


class Counters(Protocol):
    """Sliding-window counters. Charges apply together or not at all."""

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> QuotaDecision:
        """Charge all, or return the limit that refuses. Raises OptionalServiceDown."""
        ...

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        """Charge all regardless of limits; negative amounts refund. Raises OptionalServiceDown."""
        ...


@dataclass(frozen=True, slots=True)
class Consumption:
    """Tokens and money of model calls."""

    tokens: int
    microdollars: int

    def __sub__(self, other: "Consumption") -> "Consumption":
        return Consumption(self.tokens - other.tokens, self.microdollars - other.microdollars)


# Assumed for a turn until its use is known.
ESTIMATE = Consumption(tokens=4_000, microdollars=2_000)


class RateLimiter:
    """Counts usage. While the shared counters are down, each process counts against its share of
    every limit (`local`), so that together they stay below it."""

    def __init__(
        self,
        shared: Counters,
        local: Counters,
        reservations: RedisReservations,
        store: PostgresLimits,
        usual: Sequence[Limit],
    ) -> None:
        self._shared = shared
        self._local = local
        self._reservations = reservations
        self._store = store
        self._usual = usual
        self._deferred: dict[UUID, Counter[LimitMeter]] = {}

    async def admit(self, caller: Caller) -> None:
        """Count one request. Raises LimitReached."""
        limits = (await self._limits(caller.scope.tenant)).all
        meters = _meters(limits, caller.scope, caller.key)
        charges = [Charge(each, 1) for each in meters if each.limit.resource is Resource.REQUESTS]
        _refuse(await self._take(caller.scope.tenant, charges))

    async def reserve(self, caller: Caller, turn: UUID) -> None:
        """Reserve what a turn may use. Raises LimitReached."""
        tenant = caller.scope.tenant
        meters = _meters((await self._limits(tenant)).all, caller.scope, caller.key)
        charges = _charges(meters, ESTIMATE)
        if not charges:
            return
        decision = await self._take(tenant, charges)
        _refuse(decision)
        lite_only = decision.fullest >= LITE_MODEL_THRESHOLD
        reservation = Reservation(caller.key, ESTIMATE.tokens, ESTIMATE.microdollars, lite_only)
        with suppress(OptionalServiceDown):
            await self._reservations.keep(tenant, turn, reservation)

    async def lite_only(self, scope: Scope, turn: UUID) -> bool:
        """Whether a budget is nearly used up, so that this turn uses the lite model."""
        with suppress(OptionalServiceDown):
            reservation = await self._reservations.find(scope.tenant, turn)
            return reservation is not None and reservation.lite_only
        return False

    async def settle(self, scope: Scope, turn: UUID, calls: Sequence[ModelCall]) -> None:
        """Replace the reservation of a turn by the actual use of an attempt.

        A further attempt is charged in full; without calls the reservation is refunded."""
        with suppress(OptionalServiceDown):
            reservation = await self._reservations.spend(scope.tenant, turn)
            if reservation is None:
                return
            meters = _meters((await self._limits(scope.tenant)).all, scope, reservation.key)
            reserved = Consumption(reservation.tokens, reservation.microdollars)
            charges = _charges(meters, _used(calls) - reserved)
            await self._shared.add(scope.tenant, charges)
            await self._local.add(scope.tenant, charges)

    async def move(self, scope: Scope, reserved: UUID, turn: UUID) -> None:
        """Move a reservation to the turn that uses it."""
        with suppress(OptionalServiceDown):
            reservation = await self._reservations.pop(scope.tenant, reserved)
            if reservation is not None:
                await self._reservations.keep(scope.tenant, turn, reservation)

    async def reserve_call(self, tenant: UUID) -> bool:
        """Reserve a background model call; return False if the tenant's budget is used up."""
        decision = await self._take(tenant, await self._background(tenant, ESTIMATE))
        return decision.refused is None

    async def settle_call(self, tenant: UUID, call: ModelCall) -> None:
        """Replace the reservation of a background call by its actual use."""
        charges = await self._background(tenant, _used([call]) - ESTIMATE)
        await self._local.add(tenant, charges)
        try:
            await self._shared.add(tenant, charges)
        except OptionalServiceDown:
            self._defer_charge(tenant, charges)

    async def _background(self, tenant: UUID, used: Consumption) -> list[Charge]:
        limits = (await self._limits(tenant)).all
        meters = [LimitMeter(limit, tenant.hex) for limit in limits if limit.subject == "tenant"]
        return _charges(meters, used)

    async def show(self, caller: Caller) -> TenantLimits:
        require(caller, Permission.MANAGE_LIMITS)
        return await self._limits(caller.scope.tenant)

    async def change(
        self, caller: Caller, limits: Sequence[Limit], seen: ExpectedVersion | None = None
    ) -> list[Limit]:
        """Replace the tenant's own limits, which override defaults. Raises VersionConflict."""
        require(caller, Permission.MANAGE_LIMITS)
        kinds = {(limit.subject, limit.resource, limit.window_seconds) for limit in limits}
        if len(kinds) < len(limits):
            raise Invalid("only one limit per subject, resource and window is allowed")
        return await self._store.put(caller.scope.tenant, limits, seen)

    async def _limits(self, tenant: UUID) -> TenantLimits:
        own = await self._store.limits(tenant)
        kinds = {(limit.subject, limit.resource) for limit in own}
        usual = [
            each
            for each in self._usual
            if each.subject != "provider" and (each.subject, each.resource) not in kinds
        ]
        return TenantLimits(own, usual)

    async def _take(self, tenant: UUID, charges: Sequence[Charge]) -> QuotaDecision:
        if not charges:
            return QuotaDecision(None, 0.0, 0.0)
        try:
            await self._flush_deferred(tenant)
            decision = await self._shared.take(tenant, charges)
        except OptionalServiceDown:
            decision = await self._local.take(tenant, charges)
            if decision.refused is None:
                self._defer_charge(tenant, charges)
            return decision
        if decision.refused is None:
            # Counted locally too, so that use survives an outage of the shared counters.
            await self._local.add(tenant, charges)
        return decision

    def _defer_charge(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        """Remember charges that only this process counted, for a limited number of tenants."""
        if tenant in self._deferred or len(self._deferred) < MOST_DEFERRED:
            deferred = self._deferred.setdefault(tenant, Counter())
            deferred.update({charge.meter: charge.amount for charge in charges})

    async def _flush_deferred(self, tenant: UUID) -> None:
        """Apply deferred charges to the shared counters. Raises OptionalServiceDown."""
        deferred = self._deferred.pop(tenant, None)
        if deferred is None:
            return
        try:
            charges = [Charge(meter, amount) for meter, amount in deferred.items()]
            await self._shared.add(tenant, charges)
        except OptionalServiceDown:
            self._deferred.setdefault(tenant, Counter()).update(deferred)
            raise


def _meters(limits: Sequence[Limit], scope: Scope, key: UUID) -> list[LimitMeter]:
    names = {"key": key.hex, "user": scope.user.hex, "tenant": scope.tenant.hex}
    return [LimitMeter(limit, names[limit.subject]) for limit in limits]


def _charges(meters: Sequence[LimitMeter], used: Consumption) -> list[Charge]:
    amounts = {Resource.TOKENS: used.tokens, Resource.MONEY: used.microdollars}
    return [
        Charge(each, amounts[each.limit.resource])
        for each in meters
        if each.limit.resource in amounts
    ]


def _used(calls: Sequence[ModelCall]) -> Consumption:
    tokens = sum(call.input_tokens + call.output_tokens for call in calls)
    cost = sum((call.cost_usd or Decimal(0) for call in calls), Decimal(0))
    return Consumption(tokens, int(cost * MICRO))


def _refuse(decision: QuotaDecision) -> None:
    if decision.refused is not None:
        limit = decision.refused.limit
        amount = f"{limit.most} {limit.resource.value} in {limit.window_seconds} s"
        raise LimitReached(f"{amount} per {limit.subject}", decision.retry_after)


def parse_limits(text: str) -> list[Limit]:
    """Parse limits such as `user requests 60/60, tenant usd 5/86400`. Raises ValueError."""
    return [_parse(each) for each in text.split(",") if each.strip()]


def _parse(text: str) -> Limit:
    match text.split():
        case [("key" | "user" | "tenant" | "provider") as subject, resource, rate]:
            most, slash, seconds = rate.partition("/")
            if not slash or int(seconds) < 1:
                raise ValueError(f"not a limit: {text.strip()}")
            if resource == "usd":
                return Limit(subject, Resource.MONEY, int(seconds), int(Decimal(most) * MICRO))
            return Limit(subject, Resource(resource), int(seconds), int(most))
        case _:
            raise ValueError(f"not a limit: {text.strip()}")


# Providers belong to the whole cell, so their counters have no tenant.
NOBODY = UUID(int=0)


class ProviderLimits:
    """Limits calls to each provider; beyond them fallbacks run or jobs wait."""

    def __init__(self, shared: Counters, local: Counters, limits: Sequence[Limit]) -> None:
        self._shared = shared
        self._local = local
        self._limits = [limit for limit in limits if limit.subject == "provider"]

    async def admits(self, provider: str) -> bool:
        if not self._limits:
            return True
        charges = [
            Charge(LimitMeter(limit, provider), 1 if limit.resource is Resource.REQUESTS else 0)
            for limit in self._limits
        ]
        try:
            decision = await self._shared.take(NOBODY, charges)
        except OptionalServiceDown:
            decision = await self._local.take(NOBODY, charges)
        return decision.refused is None

    async def used(self, provider: str, call: ModelCall) -> None:
        if not self._limits:
            return
        charges = _charges([LimitMeter(each, provider) for each in self._limits], _used([call]))
        try:
            await self._shared.add(NOBODY, charges)
        except OptionalServiceDown:
            await self._local.add(NOBODY, charges)

"""How much may be used in a window: requests, tokens and money; per key, user, tenant, provider."""

from collections import Counter
from collections.abc import Sequence
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

# Tenants whose use is remembered while the shared counters are away.
MOST_OWING = 10_000
# From this share of a budget on, turns do with the lite model; at the whole they are refused.
LITE_MODEL_THRESHOLD = 0.8


class Counters(Protocol):
    """Counts in sliding windows, for all processes of a cell.

    A charge counts wholly or, where any of them does not fit, not at all."""

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> QuotaDecision:
        """Charges all, or tells which limit forbids it. Raises Degraded."""
        ...

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        """Charges all whatever the limits say; an amount below zero gives back. Raises
        Degraded."""
        ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a turn is taken to use until it is known."""

    tokens: int = 4_000
    microdollars: int = 2_000


class RateLimiter:
    """Counts what callers use. Where the shared counters are down, each process counts for itself
    against its share of every limit (`local`), so that all together stay below the whole."""

    def __init__(
        self,
        shared: Counters,
        local: Counters,
        reservations: RedisReservations,
        store: PostgresLimits,
        usual: Sequence[Limit],
        estimate: Estimate | None = None,
    ) -> None:
        self._shared = shared
        self._local = local
        self._reservations = reservations
        self._store = store
        self._usual = usual
        self._estimate = estimate or Estimate()
        self._owed: dict[UUID, Counter[LimitMeter]] = {}

    async def admit(self, caller: Caller) -> None:
        """Counts one request. Raises LimitReached."""
        limits = (await self._limits(caller.scope.tenant)).all
        meters = _meters(limits, caller.scope, caller.key)
        charges = [Charge(each, 1) for each in meters if each.limit.resource is Resource.REQUESTS]
        _refuse(await self._take(caller.scope.tenant, charges))

    async def reserve(self, caller: Caller, turn: UUID) -> None:
        """Sets aside what a turn may use. Raises LimitReached."""
        tenant, estimate = caller.scope.tenant, self._estimate
        meters = _meters((await self._limits(tenant)).all, caller.scope, caller.key)
        aside = _charges(meters, estimate.tokens, estimate.microdollars)
        if not aside:
            return
        verdict = await self._take(tenant, aside)
        _refuse(verdict)
        kept = Reservation(
            caller.key,
            estimate.tokens,
            estimate.microdollars,
            verdict.fullest >= LITE_MODEL_THRESHOLD,
        )
        try:
            await self._reservations.keep(tenant, turn, kept)
        except OptionalServiceDown:
            return

    async def lite_only(self, scope: Scope, turn: UUID) -> bool:
        """Whether a budget is so far used that this turn does with the lite model."""
        try:
            found = await self._reservations.find(scope.tenant, turn)
        except OptionalServiceDown:
            return False
        return found is not None and found.lite_only

    async def settle(self, scope: Scope, turn: UUID, calls: Sequence[ModelCall]) -> None:
        """Counts what an attempt at a turn used, in place of what is still set aside for it.

        A further attempt is counted whole; without calls, what is set aside is given back."""
        try:
            kept = await self._reservations.spend(scope.tenant, turn)
            if kept is None:
                return
            tokens, microdollars = _used(calls)
            meters = _meters((await self._limits(scope.tenant)).all, scope, kept.key)
            more = _charges(meters, tokens - kept.tokens, microdollars - kept.microdollars)
            await self._shared.add(scope.tenant, more)
            await self._local.add(scope.tenant, more)
        except OptionalServiceDown:
            return

    async def move(self, scope: Scope, reserved: UUID, turn: UUID) -> None:
        """Lets what was set aside under one id count for the turn that is answered with it."""
        try:
            kept = await self._reservations.pop(scope.tenant, reserved)
            if kept is not None:
                await self._reservations.keep(scope.tenant, turn, kept)
        except OptionalServiceDown:
            return

    async def reserve_call(self, tenant: UUID) -> bool:
        """Sets aside what a model call that nobody waits for may use; False where the tenant's
        budget is used up."""
        verdict = await self._take(tenant, await self._background(tenant, *self._estimated()))
        return verdict.refused is None

    async def settle_call(self, tenant: UUID, call: ModelCall) -> None:
        """Counts what such a call used in place of what was set aside for it."""
        tokens, microdollars = (
            used - aside for used, aside in zip(_used([call]), self._estimated(), strict=True)
        )
        more = await self._background(tenant, tokens, microdollars)
        await self._local.add(tenant, more)
        try:
            await self._shared.add(tenant, more)
        except OptionalServiceDown:
            self._defer_charge(tenant, more)

    def _estimated(self) -> tuple[int, int]:
        return self._estimate.tokens, self._estimate.microdollars

    async def _background(self, tenant: UUID, tokens: int, microdollars: int) -> list[Charge]:
        limits = (await self._limits(tenant)).all
        meters = [LimitMeter(limit, tenant.hex) for limit in limits if limit.subject == "tenant"]
        return _charges(meters, tokens, microdollars)

    async def show(self, caller: Caller) -> TenantLimits:
        """The limits that count for the caller's tenant."""
        require(caller, Permission.MANAGE_LIMITS)
        return await self._limits(caller.scope.tenant)

    async def change(
        self, caller: Caller, limits: Sequence[Limit], seen: ExpectedVersion | None = None
    ) -> list[Limit]:
        """Gives the tenant limits of its own, in place of the usual ones of the same kind. Raises
        Changed where others of its own were seen."""
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
            verdict = await self._shared.take(tenant, charges)
        except OptionalServiceDown:
            verdict = await self._local.take(tenant, charges)
            if verdict.refused is None:
                self._defer_charge(tenant, charges)
            return verdict
        if verdict.refused is None:
            # Remembered here too: if the shared counters go, what was used stays used.
            await self._local.add(tenant, charges)
        return verdict

    def _defer_charge(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        """Remembers what only this process counted, as far as there is room."""
        if tenant in self._owed or len(self._owed) < MOST_OWING:
            owed = self._owed.setdefault(tenant, Counter())
            owed.update({charge.meter: charge.amount for charge in charges})

    async def _flush_deferred(self, tenant: UUID) -> None:
        """Tells the shared counters what they missed while they were away. Raises Degraded."""
        owed = self._owed.pop(tenant, None)
        if owed is None:
            return
        try:
            missed = [Charge(meter, amount) for meter, amount in owed.items()]
            await self._shared.add(tenant, missed)
        except OptionalServiceDown:
            self._owed.setdefault(tenant, Counter()).update(owed)
            raise


def _meters(limits: Sequence[Limit], scope: Scope, key: UUID) -> list[LimitMeter]:
    names = {"key": key.hex, "user": scope.user.hex, "tenant": scope.tenant.hex}
    return [LimitMeter(limit, names[limit.subject]) for limit in limits]


def _charges(meters: Sequence[LimitMeter], tokens: int, microdollars: int) -> list[Charge]:
    amounts = {Resource.TOKENS: tokens, Resource.MONEY: microdollars}
    return [
        Charge(each, amounts[each.limit.resource])
        for each in meters
        if each.limit.resource in amounts
    ]


def _used(calls: Sequence[ModelCall]) -> tuple[int, int]:
    """The tokens and the microdollars of model calls."""
    tokens = sum(call.input_tokens + call.output_tokens for call in calls)
    cost = sum((call.cost_usd or Decimal(0) for call in calls), Decimal(0))
    return tokens, int(cost * MICRO)


def _refuse(verdict: QuotaDecision) -> None:
    if verdict.refused is not None:
        limit = verdict.refused.limit
        what = f"{limit.most} {limit.resource.value} in {limit.window_seconds} s"
        found = f"{what} per {limit.subject}"
        raise LimitReached(found, verdict.retry_after)


def parse_limits(text: str) -> list[Limit]:
    """Limits as settings write them: `user requests 60/60, tenant usd 5/86400`. Raises
    ValueError."""
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


# Providers belong to the whole cell: their counters stand under nobody's id.
NOBODY = UUID(int=0)


class ProviderLimits:
    """Each provider may be asked so much; what is beyond is done by twins or waits."""

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
            verdict = await self._shared.take(NOBODY, charges)
        except OptionalServiceDown:
            verdict = await self._local.take(NOBODY, charges)
        return verdict.refused is None

    async def used(self, provider: str, call: ModelCall) -> None:
        if not self._limits:
            return
        amounts = {
            Resource.TOKENS: call.input_tokens + call.output_tokens,
            Resource.MONEY: int((call.cost_usd or Decimal(0)) * MICRO),
        }
        charges = [
            Charge(LimitMeter(limit, provider), amounts[limit.resource])
            for limit in self._limits
            if limit.resource in amounts
        ]
        try:
            await self._shared.add(NOBODY, charges)
        except OptionalServiceDown:
            await self._local.add(NOBODY, charges)

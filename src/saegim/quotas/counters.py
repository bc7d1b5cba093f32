"""Sliding-window counters: shared in Redis, or local to the process without it.

All keys of a tenant have its id as hash tag, so that one script sees them all in a cluster. Only
the clock of the Redis server counts."""

import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from saegim.db.redis_client import RedisClient


class Resource(StrEnum):
    REQUESTS = "requests"
    TOKENS = "tokens"
    MONEY = "microdollars"


Subject = Literal["key", "user", "tenant", "provider", "account", "browser", "address"]
MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of a resource in any window of this length."""

    subject: Subject
    resource: Resource
    window_seconds: int
    most: int


@dataclass(frozen=True, slots=True)
class TenantLimits:
    """A tenant's own limits, and the defaults for the rest."""

    own: list[Limit]
    usual: list[Limit]

    @property
    def all(self) -> list[Limit]:
        return [*self.own, *self.usual]


@dataclass(frozen=True, slots=True)
class LimitMeter:
    """A limit for one subject."""

    limit: Limit
    of: str


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount to charge to a meter."""

    meter: LimitMeter
    amount: int


@dataclass(frozen=True, slots=True)
class QuotaDecision:
    """The refused meter, if any, the wait, and how full the fullest meter is."""

    refused: LimitMeter | None
    retry_after: float
    fullest: float


@dataclass(frozen=True, slots=True)
class Reservation:
    """The amounts reserved for a turn, and the key that pays."""

    key: UUID
    tokens: int
    microdollars: int
    lite_only: bool


RESERVATION_SECONDS = 60 * 60

# Each key is a hash: `w` window number, `n` used in it, `b` used in the one before, `l` and `m` the
# times of their last use. Use expires after a whole window, so that no wait is longer than that.
# ARGV: whether limits apply, then seconds, most and amount for each key. Nothing is written unless
# all fit. Returns the index that does not fit (0: all fit), the wait in milliseconds, and how full
# the fullest is, in thousandths.
TAKE = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local counted, fullest = {}, 0
for i, key in ipairs(KEYS) do
    local seconds = tonumber(ARGV[i * 3 - 1])
    local most, amount = tonumber(ARGV[i * 3]), tonumber(ARGV[i * 3 + 1])
    local window = math.floor(now / seconds)
    local share = now / seconds - window
    local stored = redis.call('HMGET', key, 'w', 'n', 'b', 'l', 'm')
    local number = tonumber(stored[1] or -1)
    local used, before = tonumber(stored[2] or 0), tonumber(stored[3] or 0)
    local last, last_before = tonumber(stored[4] or now), tonumber(stored[5] or now)
    if number == window - 1 then used, before, last, last_before = 0, used, now, last
    elseif number ~= window then used, before = 0, 0 end
    if last_before + seconds <= now then before = 0 end
    local total = before * (1 - share) + used + amount
    if ARGV[1] == '1' and total > most then
        local wanted, wait = most - amount, 0
        if used <= wanted and before > 0 then
            wait = (1 - (wanted - used) / before - share) * seconds
            wait = math.min(wait, last_before + seconds - now)
        elseif used <= 0 then
            wait = (1 - share) * seconds
        else
            wait = (1 - share) * seconds + math.max(0, 1 - wanted / used) * seconds
            wait = math.min(wait, last + seconds - now)
        end
        return {i, math.ceil(math.max(0, wait) * 1000), 1000}
    end
    if most > 0 then fullest = math.max(fullest, total / most) end
    if amount > 0 then last = now end
    counted[i] = {window, math.max(0, used + amount), before, seconds, last, last_before}
end
for i, key in ipairs(KEYS) do
    local c = counted[i]
    redis.call('HSET', key, 'w', c[1], 'n', c[2], 'b', c[3], 'l', c[5], 'm', c[6])
    redis.call('EXPIRE', key, c[4] * 2 + 1)
end
return {0, 0, math.floor(fullest * 1000)}
"""

# Reads and sets to zero in one step: two processes that settle one turn do not both refund the
# reservation, and a later attempt still finds its key.
SPEND = """
local stored = redis.call('GET', KEYS[1])
if stored then
    local left = cjson.decode(stored)
    left.tokens, left.microdollars = 0, 0
    redis.call('SET', KEYS[1], cjson.encode(left), 'KEEPTTL')
end
return stored
"""

FIND = "return redis.call('GET', KEYS[1])"
POP = """
local stored = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return stored
"""


class RedisCounters:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> QuotaDecision:
        index, wait, fullest = await self._run(tenant, charges, counts=True)
        refused = charges[index - 1].meter if index else None
        return QuotaDecision(refused, wait / 1000, fullest / 1000)

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        if charges:
            await self._run(tenant, charges, counts=False)

    async def _run(
        self, tenant: UUID, charges: Sequence[Charge], *, counts: bool
    ) -> tuple[int, int, int]:
        keys = [_key(tenant, charge.meter) for charge in charges]
        values: list[int] = [int(counts)]
        for charge in charges:
            limit = charge.meter.limit
            values += [limit.window_seconds, limit.most, charge.amount]

        async def take(client: Any) -> Any:
            return await client.eval(TAKE, len(keys), *keys, *values)

        index, wait, fullest = await self._redis.run(take, tenant)
        return int(index), int(wait), int(fullest)


class RedisReservations:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    async def keep(self, tenant: UUID, turn: UUID, reservation: Reservation) -> None:
        value = json.dumps(asdict(reservation) | {"key": reservation.key.hex})

        async def write(client: Any) -> object:
            return await client.set(reservation_key(tenant, turn), value, ex=RESERVATION_SECONDS)

        await self._redis.run(write, tenant)

    async def find(self, tenant: UUID, turn: UUID) -> Reservation | None:
        return await self._eval(FIND, tenant, turn)

    async def spend(self, tenant: UUID, turn: UUID) -> Reservation | None:
        """Return the reservation and set its amounts to zero."""
        return await self._eval(SPEND, tenant, turn)

    async def pop(self, tenant: UUID, turn: UUID) -> Reservation | None:
        """Return the reservation and delete it."""
        return await self._eval(POP, tenant, turn)

    async def _eval(self, script: str, tenant: UUID, turn: UUID) -> Reservation | None:
        async def read(client: Any) -> bytes | None:
            return await client.eval(script, 1, reservation_key(tenant, turn))

        stored = await self._redis.run(read, tenant)
        if stored is None:
            return None
        fields = json.loads(stored)
        return Reservation(**fields | {"key": UUID(fields["key"])})


def _key(tenant: UUID, meter: LimitMeter) -> str:
    limit = meter.limit
    kind = f"{limit.subject}:{meter.of}:{limit.resource.value}:{limit.window_seconds}"
    return f"limit:{{{tenant}}}:{kind}"


def reservation_key(tenant: UUID, turn: UUID) -> str:
    return f"limit:{{{tenant}}}:turn:{turn}"


MOST_CACHED = 100_000


@dataclass(frozen=True, slots=True)
class CounterWindow:
    """Use in this window and the one before, and the time of the last use in each."""

    number: int
    now: float = 0.0
    before: float = 0.0
    last: float = 0.0
    last_before: float = 0.0

    def at(self, time: float, seconds: int) -> "CounterWindow":
        """Return the window at a time, without use that has expired."""
        number = int(time // seconds)
        if number == self.number + 1:
            return CounterWindow(number, before=self.now, last_before=self.last).at(time, seconds)
        if number != self.number:
            return CounterWindow(number)
        if self.last_before + seconds <= time:
            return replace(self, before=0.0)
        return self

    def used(self, share: float) -> float:
        """Return the use in the sliding window that ends now."""
        return self.before * (1.0 - share) + self.now

    def plus(self, amount: float, time: float) -> "CounterWindow":
        last = time if amount > 0 else self.last
        return replace(self, now=max(0.0, self.now + amount), last=last)


def seconds_until(window: CounterWindow, time: float, seconds: int, wanted: float) -> float:
    """Return the seconds until at most `wanted` is in use; never more than a window."""
    share = time / seconds - window.number
    if window.now <= wanted and window.before > 0:
        needed = 1.0 - (wanted - window.now) / window.before
        return max(0.0, min((needed - share) * seconds, seconds - (time - window.last_before)))
    left = (1.0 - share) * seconds
    if window.now <= 0:
        return left
    later = left + max(0.0, 1.0 - wanted / window.now) * seconds
    return min(later, seconds - (time - window.last))


class LocalCounters:
    """Counters of one of `processes` processes, with its share of every limit."""

    def __init__(self, processes: int, now: Callable[[], float] = time.time) -> None:
        self._processes = processes
        self._now = now
        self._windows: OrderedDict[str, CounterWindow] = OrderedDict()

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> QuotaDecision:
        fullest, now = 0.0, self._now()
        for charge in charges:
            window = self._window(tenant, charge.meter, now)
            seconds, most = charge.meter.limit.window_seconds, self._most(charge.meter)
            used = window.used(now / seconds - window.number) + charge.amount
            if used > most:
                wait = seconds_until(window, now, seconds, most - charge.amount)
                return QuotaDecision(charge.meter, wait, 1.0)
            fullest = max(fullest, used / most)
        await self.add(tenant, charges)
        return QuotaDecision(None, 0.0, fullest)

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        now = self._now()
        for charge in charges:
            window = self._window(tenant, charge.meter, now)
            name = _key(tenant, charge.meter)
            self._windows[name] = window.plus(charge.amount, now)
            self._windows.move_to_end(name)
        while len(self._windows) > MOST_CACHED:
            self._windows.popitem(last=False)

    def _most(self, meter: LimitMeter) -> int:
        return max(1, math.floor(meter.limit.most / self._processes))

    def _window(self, tenant: UUID, meter: LimitMeter, now: float) -> CounterWindow:
        seconds = meter.limit.window_seconds
        window = self._windows.get(_key(tenant, meter))
        return CounterWindow(int(now // seconds)) if window is None else window.at(now, seconds)

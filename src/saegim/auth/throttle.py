"""Limits on wrong passwords, per account and per address.

Attempts from a browser that has signed in to the account before are counted by browser: nobody else
can use them up, so that guessing locks no one out of their own browser."""

from collections.abc import Sequence
from dataclasses import dataclass

from saegim.domain.errors import LimitReached, OptionalServiceDown
from saegim.quotas.counters import Charge, Limit, LimitMeter, Resource
from saegim.quotas.service import NOBODY, Counters

WINDOW_SECONDS = 15 * 60
PER_ACCOUNT = Limit("account", Resource.REQUESTS, WINDOW_SECONDS, 10)
PER_BROWSER = Limit("browser", Resource.REQUESTS, WINDOW_SECONDS, 10)
PER_ADDRESS = Limit("address", Resource.REQUESTS, WINDOW_SECONDS, 60)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Keyed hashes of the e-mail, of the address if it is known, and of a browser that has signed
    in to this account before. A code for the set-up is of no account."""

    account: str | None = None
    address: str | None = None
    browser: str | None = None


class SignInThrottle:
    """Counts attempts in Redis; in the process while Redis is down."""

    def __init__(self, shared: Counters, local: Counters) -> None:
        self._shared = shared
        self._local = local

    async def count(self, attempt: Attempt) -> None:
        """Counts an attempt before its password is verified. Raises LimitReached."""
        charges = _charges(attempt, 1)
        try:
            decision = await self._shared.take(NOBODY, charges)
        except OptionalServiceDown:
            decision = await self._local.take(NOBODY, charges)
        if decision.refused is not None:
            raise LimitReached("too many attempts to sign in", decision.retry_after)

    async def forgive(self, attempt: Attempt) -> None:
        """Takes back the count of an attempt that succeeded."""
        charges = _charges(attempt, -1)
        try:
            await self._shared.add(NOBODY, charges)
        except OptionalServiceDown:
            await self._local.add(NOBODY, charges)


def _charges(attempt: Attempt, amount: int) -> Sequence[Charge]:
    known = attempt.browser is not None
    meters: list[LimitMeter] = []
    if attempt.account is not None:
        of = f"{attempt.account}:{attempt.browser}" if known else attempt.account
        meters.append(LimitMeter(PER_BROWSER if known else PER_ACCOUNT, of))
    if attempt.address is not None:
        meters.append(LimitMeter(PER_ADDRESS, attempt.address))
    return [Charge(meter, amount) for meter in meters]

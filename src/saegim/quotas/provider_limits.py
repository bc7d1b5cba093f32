"""What a model provider is asked for, kept within limits of its own: implements `ProviderGate`."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from saegim.domain.errors import Degraded
from saegim.llm.model_call import ModelCall
from saegim.quotas.service import Counters
from saegim.quotas.types import MICRO, Charge, Limit, Meter, Resource

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
            Charge(Meter(limit, provider), 1 if limit.resource is Resource.REQUESTS else 0)
            for limit in self._limits
        ]
        try:
            verdict = await self._shared.take(NOBODY, charges)
        except Degraded:
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
            Charge(Meter(limit, provider), amounts[limit.resource])
            for limit in self._limits
            if limit.resource in amounts
        ]
        try:
            await self._shared.add(NOBODY, charges)
        except Degraded:
            await self._local.add(NOBODY, charges)

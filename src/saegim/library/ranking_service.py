"""What admins do with their tenant's ranking: see it, set it, go back to the defaults."""

from uuid import UUID

from saegim.domain.errors import Forbidden, Invalid
from saegim.domain.etags import Seen
from saegim.domain.scope import Caller, Role
from saegim.library.ranking_repository import PostgresRankings
from saegim.library.types import Ranking

ADMINS = frozenset({Role.OWNER, Role.ADMIN})
MOST_PASSAGES = 50


class Rankings:
    def __init__(self, store: PostgresRankings) -> None:
        self._store = store

    async def read(self, caller: Caller) -> Ranking:
        """How the tenant ranks."""
        return await self._store.ranking(self._admin(caller))

    async def change(self, caller: Caller, ranking: Ranking, seen: Seen | None = None) -> Ranking:
        """Ranks like this from the next search on. Raises Invalid, and Changed where another was
        seen."""
        tenant = self._admin(caller)
        if not 1 <= ranking.counts.total <= MOST_PASSAGES:
            raise Invalid(f"a search gives 1 to {MOST_PASSAGES} passages")
        return await self._store.set_ranking(tenant, ranking, seen)

    def _admin(self, caller: Caller) -> UUID:
        if caller.role not in ADMINS:
            raise Forbidden("ranking is the admins'")
        return caller.scope.tenant

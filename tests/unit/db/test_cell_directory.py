"""The cached tenant directory is bounded."""

from uuid import UUID, uuid4

from saegim.db.cells import HOME_CELL, Cell, CellLimits, Cells
from saegim.domain.ids import SystemClock


class HomeWithoutTenants(Cell):
    """A directory in which no tenant is entered."""

    async def place_of(self, tenant: UUID) -> str | None:
        return None


async def test_tenants_that_anonymous_callers_name_are_forgotten_again() -> None:
    home = HomeWithoutTenants(HOME_CELL, "postgresql://nowhere", CellLimits())
    other = Cell("b", "postgresql://nowhere", CellLimits())
    cells = Cells({HOME_CELL: home, "b": other}, SystemClock())
    for _ in range(cells.MOST_KNOWN + 50):
        await cells.for_tenant(uuid4())
    assert len(cells._known) == cells.MOST_KNOWN

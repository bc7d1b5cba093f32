"""The tags of a tenant's library in Postgres."""

from uuid import UUID

from saegim.db.cells import Cells, fetch_all


class PostgresTags:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def tags(self, tenant: UUID, most: int) -> tuple[list[str], list[str]]:
        """Names that passages are tagged with, and the types of documents."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            names = await fetch_all(connection, "passage_names", tenant=tenant, most=most)
            types = await fetch_all(connection, "document_types", tenant=tenant)
        return [row["name"] for row in names], [row["type"] for row in types]

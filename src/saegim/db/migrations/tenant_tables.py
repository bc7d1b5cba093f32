"""SQL that every tenant table is made with: row-level security, and partitions by tenant."""

PARTITIONS = 16


def enable_row_security(table: str) -> list[str]:
    """Rows are visible and writable only under their tenant; unset means nothing is."""
    rule = "tenant_id = current_setting('app.tenant')::uuid"
    return [
        f"alter table {table} enable row level security",
        f"alter table {table} force row level security",
        f"create policy tenant_fence on {table} using ({rule}) with check ({rule})",
    ]


def partition(table: str) -> list[str]:
    """Hash partitions by tenant, each fenced itself: a partition can be named directly."""
    statements: list[str] = enable_row_security(table)
    for remainder in range(PARTITIONS):
        name = f"{table}_{remainder:02d}"
        statements.append(
            f"create table {name} partition of {table} "
            f"for values with (modulus {PARTITIONS}, remainder {remainder})"
        )
        statements += enable_row_security(name)
    return statements

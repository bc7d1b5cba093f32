"""Row-level security and partitions of tenant tables."""

PARTITIONS = 16


def enable_row_security(table: str) -> list[str]:
    """Returns SQL that restricts rows to the tenant of the transaction; none without a tenant."""
    rule = "tenant_id = current_setting('app.tenant')::uuid"
    return [
        f"alter table {table} enable row level security",
        f"alter table {table} force row level security",
        f"create policy tenant_fence on {table} using ({rule}) with check ({rule})",
    ]


def partition(table: str) -> list[str]:
    """Returns SQL for hash partitions, each with row-level security: it can be queried directly."""
    statements: list[str] = enable_row_security(table)
    for remainder in range(PARTITIONS):
        name = f"{table}_{remainder:02d}"
        statements.append(
            f"create table {name} partition of {table} "
            f"for values with (modulus {PARTITIONS}, remainder {remainder})"
        )
        statements += enable_row_security(name)
    return statements

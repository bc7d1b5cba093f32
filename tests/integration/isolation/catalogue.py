"""Reads the isolation of tenants from the database catalogue, and finds holes in it."""

from dataclasses import dataclass
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row

from saegim.db.migrate import SCHEMA

RULE = "(tenant_id = (current_setting('app.tenant'::text))::uuid)"

# Shared by all tenants of a cell: the job queue, which holds ids and names of errors, how many
# indexes use an embedder, which tenants have an account with a keyed hash of an e-mail, hashes of
# set-up codes, and the schema's number.
WITHOUT_TENANT = frozenset(
    {
        "account_directory",
        "embedder_use",
        "job_failure",
        "procrastinate_events",
        "procrastinate_jobs",
        "procrastinate_periodic_defers",
        "procrastinate_workers",
        "schema_revision",
        "set_up_code",
    }
)

OURS = "c.relnamespace = any(select oid from pg_namespace where nspname !~ '^pg_|^information_')"

RELATIONS = f"""
select c.oid, c.oid::regclass::text as name, c.relkind as kind, c.relispartition as is_partition,
    c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
    'security_invoker=true' = any(c.reloptions) as as_invoker,
    a.attnotnull and a.atttypid = 'uuid'::regtype as has_tenant
from pg_class c
left join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
where c.relkind in ('r', 'p', 'f', 'v', 'm') and {OURS}
order by name
"""

POLICIES = """
select polname as name, polcmd as command, polroles = '{0}' as for_all,
    pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as checked
from pg_policy where polrelid = %(table)s and polpermissive
"""

# A unique key without the tenant tells whether another tenant has a value.
KEYS_ACROSS_TENANTS = """
select i.indexrelid::regclass::text as name
from pg_index i
join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'tenant_id'
where i.indrelid = %(table)s and (i.indisunique or i.indisexclusion) and i.indkey[0] <> a.attnum
"""

# A foreign key without the tenant tells whether another tenant has a row.
REFERENCES_ACROSS_TENANTS = """
select k.conname as name
from pg_constraint k
where k.conrelid = %(table)s and k.contype = 'f' and not exists (
    select from unnest(k.conkey, k.confkey) as pair (mine, theirs)
    join pg_attribute m on m.attrelid = k.conrelid and m.attnum = pair.mine
    join pg_attribute t on t.attrelid = k.confrelid and t.attnum = pair.theirs
    where m.attname = 'tenant_id' and t.attname = 'tenant_id'
)
"""

PARTITIONED_OTHERWISE = """
select p.partrelid::regclass::text as name
from pg_partitioned_table p
join pg_attribute a on a.attrelid = p.partrelid and a.attname = 'tenant_id'
where p.partrelid = %(table)s and (p.partnatts <> 1 or p.partattrs[0] <> a.attnum)
"""

# A function that runs as its owner goes past the fence of whoever calls it.
RUNNING_AS_OWNER = f"""
select p.oid::regprocedure::text as name
from pg_proc p join pg_namespace c on c.oid = p.pronamespace
where p.prosecdef and {OURS.replace("c.relnamespace", "c.oid")}
"""


@dataclass(frozen=True)
class Relation:
    """A table, partition or view as the catalogue has it; `has_tenant` is None without one."""

    oid: int
    name: str
    kind: str
    is_partition: bool
    enabled: bool
    forced: bool
    as_invoker: bool | None
    has_tenant: bool | None

    @property
    def is_view(self) -> bool:
        return self.kind in "vm"


def relations(connection: Connection) -> list[Relation]:
    with connection.cursor(row_factory=dict_row) as cursor:
        connection.execute(f"set local search_path to {SCHEMA}, public")
        return [Relation(**row) for row in cursor.execute(RELATIONS)]


def tenant_tables(connection: Connection) -> list[Relation]:
    """Every table and partition with a tenant column."""
    found = relations(connection)
    return [each for each in found if each.has_tenant is not None and not each.is_view]


def holes(connection: Connection) -> list[str]:
    """Every way past the fence that the catalogue shows, in words."""
    found: list[str] = []
    for relation in relations(connection):
        if relation.is_view:
            found += _holes_of_view(relation)
        elif relation.has_tenant is None:
            if relation.name not in WITHOUT_TENANT:
                found.append(f"{relation.name} has no tenant_id and is not listed as shared")
        else:
            found += _holes_of_table(connection, relation)
    found += [f"{name} runs as its owner" for name in _names(connection, RUNNING_AS_OWNER)]
    return found


def _holes_of_view(view: Relation) -> list[str]:
    if view.kind == "m" or not view.as_invoker:
        return [f"{view.name} is a view that reads with its owner's rights"]
    return []


def _holes_of_table(connection: Connection, table: Relation) -> list[str]:
    found: list[str] = []
    if table.kind == "f":
        found.append(f"{table.name} is a foreign table, which no policy fences")
    if not table.has_tenant:
        found.append(f"{table.name}.tenant_id is not a uuid that must be there")
    if not table.enabled:
        found.append(f"{table.name} has no row-level security")
    if not table.forced:
        found.append(f"{table.name} does not force row-level security on its owner")
    found += _holes_of_policies(connection, table)
    for query, what in (
        (KEYS_ACROSS_TENANTS, "is unique across tenants"),
        (REFERENCES_ACROSS_TENANTS, "references across tenants"),
        (PARTITIONED_OTHERWISE, "is not partitioned by tenant"),
    ):
        found += [f"{table.name}: {name} {what}" for name in _names(connection, query, table)]
    return found


def _holes_of_policies(connection: Connection, table: Relation) -> list[str]:
    with connection.cursor(row_factory=dict_row) as cursor:
        policies = cursor.execute(POLICIES, {"table": table.oid}).fetchall()
    if not policies:
        return [f"{table.name} has no policy"]
    # Permissive policies add up, so each of them must be the whole fence.
    fence = {"command": "*", "for_all": True, "using": RULE, "checked": RULE}
    return [
        f"{table.name}: policy {policy['name']} is not the fence"
        for policy in policies
        if fence.items() - policy.items()
    ]


def _names(connection: Connection, query: str, table: Relation | None = None) -> list[str]:
    rows = connection.execute(query.encode(), {"table": table.oid} if table else None)
    return [name for (name,) in rows]


def enter(connection: Connection, tenant: UUID | str, *, for_session: bool = False) -> None:
    """Sets the tenant of the running transaction, as the cells do."""
    connection.execute("select set_config('app.tenant', %s, %s)", (str(tenant), not for_session))

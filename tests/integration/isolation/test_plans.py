"""Every named query, explained under the app's role on many tenants: it stays in its tenant's
partition, finds its rows by an index, and keeps its plan once it is prepared."""

import re
from collections.abc import Iterator, Mapping
from zlib import crc32

import psycopg
import pytest
from psycopg import Connection

from saegim.db.pool import NamedQuery, named_queries
from tests.integration.isolation.catalogue import enter
from tests.integration.isolation.plans import Node, explain, prepare, rows_passed_over
from tests.integration.isolation.rows import fill, tenant_ids
from tests.integration.isolation.samples import Sample
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5")

TENANTS = 50
ROWS = 1_000
# With fewer, the plans of their sums would follow the values.
LARGER = {"guild_activity": 2_000, "usage_event": 2_000}
JOBS = 100
# The server settles on a generic plan, or not, after five runs.
RUNS = 10
# Below this a sequential scan is the cheaper way.
SMALL = 300

# Queries that the owner's login runs for operators, not the app's role.
OF_OPERATORS = frozenset(
    {
        "server_identity",
        "sees_all_tenants",
        "index_uses",
        "all_tenants",
        "count_tenants_by_cell",
        # A tenant that is moved to another cell, by the owners of both.
        "jobs_of_tenant",
        "drop_jobs_of_tenant",
        "unwatch_turns",
        "index_lags",
    }
)

QUERIES = [name for name in named_queries() if name not in OF_OPERATORS]
# Tables that a query looks for rows in; an insert finds its partition without a look.
SEARCHED = re.compile(r"\b(?:from|join|update)\s+(?:saegim\.)?(\w+)")
# Queries that read a tenant's own rows and write nothing.
OWN_ROWS = re.compile(rb"select\b.*\btenant_id = %\(tenant\)s", re.DOTALL)
READING = [name for name in QUERIES if OWN_ROWS.match(named_queries()[name].text)]

# Queries that read a whole table of the cell, each with its reason.
WHOLE_TABLE = {
    "store_health": "counts the queue for operators",
    "erase_jobs": "runs once for a person who is erased, over jobs in every state",
    "all_passages": "rebuilds an index; a tenant may fill most of its partition",
    "passages_lack_vectors": "looks at all there is before a switch",
    "episodes_lack_vectors": "looks at all there is before a switch",
    "memories_lack_vectors": "looks at all there is before a switch",
    "count_passages": "counts them, once for each move",
    "passage_names": "reads every tag, once in two minutes",
    "count_memories": "counts them, once for each move",
    "drop_jobs_of_person": "runs twice for a person who is erased, over the jobs that wait",
}

# Queries that read all of a tenant's rows, each with its reason.
WHOLE_TENANT = {
    "used_documents": "quotas count all of a tenant's",
    "used_document_mb": "quotas count all of a tenant's",
    "used_sources": "quotas count all of a tenant's",
    "expired_by_label": "retention looks at all records of a label, once a day",
    "used_collections": "quotas count all of a tenant's",
    "used_members": "quotas count all of a tenant's",
    "drop_old_ingests": "a daily clean-up, in batches",
    "receiving_files": "few files are being received at once",
    "list_assistants": "a tenant has a handful",
    "assistants_with_usage": "a tenant has a handful",
    "list_members": "with the last sign-in of each; in pages",
    "list_published": "a tenant has a handful",
    "list_audiences": "a tenant has a few dozen",
    "set_up_progress": "stops at the first of each",
    "list_groups": "counts them, for a form",
    "list_issuers": "a tenant has one or two",
    "list_invitations": "a tenant has a few that are open",
    "drop_invitations_by_inviter": "a tenant has a few that are open",
    "drop_reset_links_by_maker": "a tenant has a few at once",
    "list_limits": "a tenant has a handful",
    "drop_limits": "a tenant has a handful",
    "count_webhooks": "a tenant has twenty at most",
    "list_webhooks": "a tenant has twenty at most",
    "webhooks_for": "a tenant has twenty at most",
    "list_model_connections": "a tenant has twenty at most",
    "list_model_roles": "there are six roles",
    "continue_erasures": "runs once for a tenant that is restored or imported",
    "erase_ingest": "goes through them once, for an erasure",
    "last_seal": "stops at the first",
    "count_unsealed": "counts what waits, which an index holds apart",
    "list_collections": "a tenant has a handful",
    "find_same_source": "a tenant has a handful",
    "has_sessions": "stops at the first",
    "unindexed_turns": "a daily clean-up, in batches",
    "oldest_index_changes": "stops at its limit: the index gives them in their order",
    "all_passages": "rebuilds an index",
    "index_states": "a tenant has two",
    "lock_index_states": "a tenant has two",
    "retired_indexes": "a tenant has a handful",
    "count_passages": "counts them, once for each move",
    "count_episodes": "counts them, once for each move",
    "count_memories": "counts them, once for each move",
    "passages_lack_vectors": "looks at all there is before a switch",
    "unfinished_files": "imports are deleted some days after they are over",
    "drop_ingests_of_collection": "goes through them once, when a collection is deleted",
    "credentials_of_assistant": "a tenant has a few dozen keys",
    "list_failures": "stops at its limit: the index gives them in their order",
    "passage_names": "reads every tag, once in two minutes",
    "document_types": "reads every type, once in two minutes",
    "find_serving": "stops at the first FAQ entry, in an index of nothing else",
    "erase_document": "runs once for a person who is erased, over all documents of the tenant",
}

# Queries that read more rows than they need, each with its reason.
PASSES_OVER = {
    "unindexed_turns": "passes over turns that have no text yet",
    "expired_turns": "passes over the few that working memory still holds",
    "passage_names": "passes over what one person alone reads",
    "readable_team_memory": "passes over what other groups share",
}

# Queries whose plan follows the values, each with its reason.
BY_VALUE = {
    "sweep_uploads": "few files are being received at once",
    "drop_old_ingests": "takes a batch of the oldest, in whichever order is cheaper",
    "rank_activity": "sums the days it is given, in whichever order is cheaper",
    "passage_names": "reads all there is, in whichever order",
    "list_documents": "a page in its order, or all that its optional filters leave",
    "replay_jobs": "its job is optional, and operators run it once",
    "all_passages": "reads all there is, in whichever order is cheaper",
    "passages_lack_vectors": "stops at the first, or reads all there is",
    "episodes_lack_vectors": "stops at the first, or reads all there is",
    "memories_lack_vectors": "stops at the first, or reads all there is",
    "count_passages": "reads all there is, in whichever order is cheaper",
    "count_memories": "reads all there is, in whichever order is cheaper",
    "unchanged_files": "compares the hashes of one import, by index or in the order of the files",
    "see_files": "compares the hashes of one import, by index or in the order of the files",
    "copies_of_documents": "finds candidates by three keys, each by its index or one by one",
}

JOB_ROWS = """
insert into procrastinate_jobs (queue_name, task_name, priority, lock, args)
select 'default', 'index_episode', -i, 'index_episode:' || tenant || ':' || i %% 20,
    jsonb_build_object('tenant', tenant, 'subject', tenant)
from unnest(%s::uuid[]) as tenant, generate_series(1, %s) as i
"""


@pytest.fixture(scope="module")
def crowded(databases: Databases) -> Iterator[Connection]:
    """The owner's connection to a database with many analysed tenants."""
    with psycopg.connect(databases.admin_url, autocommit=True) as connection:
        connection.execute("set search_path to saegim, public")
        fill(connection, tenant_ids(TENANTS), ROWS, LARGER)
        with connection.transaction():
            connection.execute("set local session_replication_role to replica")
            connection.execute(JOB_ROWS, (tenant_ids(TENANTS), JOBS))
        # Samples every row: a random sample would now and then tip a plan.
        connection.execute("set default_statistics_target to 400")
        connection.execute("analyze")
        yield connection


@pytest.fixture(scope="module")
def large(crowded: Connection) -> frozenset[str]:
    """The tables and partitions in which a sequential scan would hurt."""
    rows = crowded.execute(
        "select regexp_replace(relname, '_\\d\\d$', '') from pg_class "
        "where reltuples > %s and relkind = 'r' and relnamespace = 'saegim'::regnamespace",
        (SMALL,),
    )
    return frozenset(name for (name,) in rows)


@pytest.fixture(scope="module")
def partitioned(crowded: Connection) -> frozenset[str]:
    rows = crowded.execute("select partrelid::regclass::text from pg_partitioned_table")
    return frozenset(name for (name,) in rows)


@pytest.fixture(scope="module")
def samples(crowded: Connection) -> list[Sample]:
    return [Sample(crowded, tenant) for tenant in tenant_ids(TENANTS)[::7]]


@pytest.fixture(scope="module")
def app(databases: Databases, crowded: Connection) -> Iterator[Connection]:
    # Statements are prepared by hand here; psycopg would drop them at each rollback.
    url = databases.app_url
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
        yield connection


@pytest.fixture(scope="module")
def plans(app: Connection, samples: list[Sample]) -> "Plans":
    return Plans(app, samples)


def test_queries_stay_in_their_tenants_partition(
    plans: "Plans", partitioned: frozenset[str]
) -> None:
    offenders = dict[str, set[tuple[str, str]]]()
    for name in QUERIES:
        searched = set(SEARCHED.findall(named_queries()[name].text.decode())) & partitioned
        for sample, plan in plans.of(name):
            if plan.touched() != {(table, sample.partition) for table in searched}:
                offenders[name] = plan.touched()

    assert offenders == {}


def test_queries_find_their_rows_by_an_index(plans: "Plans", large: frozenset[str]) -> None:
    whole = {
        name: {table for _, plan in plans.of(name) for table in plan.read_whole() & large}
        for name in QUERIES
    }

    assert listed(whole) == WHOLE_TABLE.keys()


def test_queries_narrow_their_search_below_the_tenant(plans: "Plans") -> None:
    wide = {
        name: {index for _, plan in plans.of(name) for index in plan.read_by_tenant_alone()}
        for name in QUERIES
    }

    assert listed(wide) == WHOLE_TENANT.keys()


def test_queries_read_no_more_than_they_need(plans: "Plans") -> None:
    """Under row-level security a condition that is not leakproof is never asked of an index."""
    wasted = {name: plans.passed_over(name) >= SMALL for name in READING}

    assert listed(wasted) == PASSES_OVER.keys()


def test_queries_keep_their_plan_once_they_are_prepared(plans: "Plans") -> None:
    changed = set[str]()
    for name in QUERIES:
        first, *later = [plan.steps() for _, plan in plans.of(name)]
        assert len(later) == RUNS - 1
        if later != [first] * len(later):
            changed.add(name)

    assert changed == BY_VALUE.keys()


def test_copies_are_found_by_their_text_before_tables_are_analysed(
    crowded: Connection, samples: list[Sample]
) -> None:
    """Every search looks for copies, also of documents that were imported just now."""
    query = named_queries()["copies_of_passages"]
    with crowded.transaction(force_rollback=True):
        crowded.execute("delete from pg_statistic")
        prepare(crowded, query, [each.values(query) for each in samples])
        plan = explain(crowded, query, samples[0].values(query))

    found = {node.index for node in plan.walk() if node.relation == "document"}
    assert found == {"document_pkey", "document_by_text"}


@pytest.mark.parametrize(
    "statement",
    [
        "select * from turn where tenant_id = %(tenant)s and lease_owner = %(lease_owner)s",
        "update turn set tokens = 0 where tenant_id = %(tenant)s and tokens = %(tokens)s",
        "select turn_id from turn where tenant_id = %(tenant)s",
        "select id from procrastinate_jobs where args ->> 'subject' = %(subject)s",
    ],
)
def test_a_query_that_no_index_serves_is_reported(
    statement: str, plans: "Plans", large: frozenset[str]
) -> None:
    query = NamedQuery(f"unserved_{crc32(statement.encode())}", "", statement.encode())
    found = [plan for _, plan in plans.explained(query)]

    assert all(plan.read_whole() & large or plan.read_by_tenant_alone() for plan in found)


def test_every_exception_is_a_query() -> None:
    excepted = WHOLE_TABLE | WHOLE_TENANT | PASSES_OVER | BY_VALUE

    assert OF_OPERATORS | excepted.keys() <= named_queries().keys()


def listed(found: Mapping[str, object]) -> set[str]:
    """The queries of which something was found."""
    return {name for name, what in found.items() if what}


class Plans:
    """The plans of each query in a row of runs, for one tenant after another."""

    def __init__(self, connection: Connection, samples: list[Sample]) -> None:
        self._connection = connection
        self._samples = samples
        self._known: dict[str, list[tuple[Sample, Node]]] = {}

    def of(self, name: str) -> list[tuple[Sample, Node]]:
        if name not in self._known:
            self._known[name] = self.explained(named_queries()[name])
        return self._known[name]

    def passed_over(self, name: str) -> int:
        self.of(name)
        query, sample = named_queries()[name], self._samples[0]
        enter(self._connection, sample.tenant, for_session=True)
        return rows_passed_over(self._connection, query, sample.values(query))

    def explained(self, query: NamedQuery) -> list[tuple[Sample, Node]]:
        prepare(self._connection, query, [each.values(query) for each in self._samples])
        found: list[tuple[Sample, Node]] = []
        for run in range(RUNS):
            sample = self._samples[run % len(self._samples)]
            enter(self._connection, sample.tenant, for_session=True)
            found.append((sample, explain(self._connection, query, sample.values(query))))
        return found

"""Measure recall over a memory of a given size, and the SQL scan alone."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from statistics import median
from uuid import UUID

import numpy as np
import psycopg

from benchmarks.memory.bench_stack import BenchStack
from saegim.app.container import Services
from saegim.auth.types import ActAs
from saegim.conversations import turn_rows
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller, Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.memory import record_rows
from saegim.memory.recall.query_vectors import QueryTerms, ask
from saegim.memory.recall.repository import PostgresRecall, RecallCache, look, scans
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import RecallRequest, ScanFilter, question_of
from saegim.memory.types import MemoryType
from saegim.text.rank_fusion import SparseVector, TermHasher, dense_literal

NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUESTIONS = 30
VOCABULARY = 20_000
RECORD_TERMS, WINDOW_TERMS, OWN_TERMS = 25, 120, 40
SESSION_TURNS = 50
QUESTION_WORDS = 6
# The cache is loaded in the background after the second question.
WARM, LOADED_SECONDS = 3, 0.5

TEMPLATES = 2_000

VECTORS_OF_RECORDS = """
insert into memory_vector (tenant_id, member_id, profile_id, memory_id, index_version, said_at,
    valid_from, type, importance, embedding, terms)
select m.tenant_id, m.member_id, m.profile_id, m.memory_id, 1, m.said_at, m.said_at, m.type,
    m.importance, t.embedding, t.record
from (
    select *, (row_number() over (order by memory_id)) %% %(templates)s as template
    from memory where member_id = %(member)s
) m
join bench_template t on t.number = m.template
order by m.memory_id
"""
EPISODES = """
insert into episode (tenant_id, episode_id, member_id, profile_id, session_id, first_turn,
    last_turn, content, said_at, created_at)
select tenant_id, turn_id, member_id, profile_id, session_id, greatest(number - 2, 1), number, '',
    created_at, created_at
from turn where member_id = %(member)s
"""
VECTORS_OF_EPISODES = """
insert into episode_vector (tenant_id, member_id, profile_id, episode_id, index_version,
    session_id, last_turn, said_at, embedding, terms, own, own_length, marks, own_embedding,
    message)
select e.tenant_id, e.member_id, e.profile_id, e.episode_id, 1, e.session_id, e.last_turn,
    e.said_at, t.embedding, t.spoken, t.own, 40, 0, t.embedding, t.own
from (
    select *, (row_number() over (order by episode_id)) %% %(templates)s as template
    from episode where member_id = %(member)s
) e
join bench_template t on t.number = e.template
order by e.episode_id
"""
COUNTS = """
insert into term_count (tenant_id, member_id, profile_id, index_version, term, records, episodes)
select %(tenant)s, %(member)s, %(profile)s, 1, term, sum(records), sum(episodes)
from (
    select terms, 1 as records, 0 as episodes from memory_vector where member_id = %(member)s
    union all
    select terms, 0, 1 from episode_vector where member_id = %(member)s
) as each
cross join lateral (
    select split_part(pair, ':', 1)::integer as term
    from unnest(string_to_array(
        '0,' || trim(both '{}' from split_part(each.terms::text, '/', 1)), ','
    )) as pair
) as held
group by term
"""


# Copies the last episode as a new one, and counts its terms.
ONE_MORE = """
with one as (
    insert into episode_vector (tenant_id, member_id, profile_id, episode_id, index_version,
        session_id, last_turn, said_at, embedding, terms, own, own_length, marks, own_embedding,
        message)
    select tenant_id, member_id, profile_id, %(episode)s, index_version, session_id, last_turn,
        said_at, embedding, terms, own, own_length, marks, own_embedding, message
    from episode_vector where tenant_id = %(tenant)s and member_id = %(member)s limit 1
    returning terms
)
update term_count set episodes = episodes + 1
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and term in (
        select split_part(pair, ':', 1)::integer
        from one cross join unnest(string_to_array(
            '0,' || trim(both '{}' from split_part(one.terms::text, '/', 1)), ','
        )) as pair
    )
"""


@dataclass(frozen=True)
class Person:
    """A user with a memory of a given size, half records and half episodes."""

    scope: Scope
    size: int


async def person(home: BenchStack, size: int) -> Person:
    """Creates a user whose memory is filled by SQL; texts are encrypted correctly."""
    caller = await home.services.auth.authentication.authenticate(
        home.key, ActAs(f"size-{size}", None)
    )
    await remember(home.services, home.admin_url, caller, size)
    return Person(caller.scope, size)


@dataclass(frozen=True)
class Past:
    """Numbers of records, and of turns with an episode each."""

    records: int
    turns: int
    text: Callable[[int], str] = "{}번째 이야기".format


async def remember(services: Services, admin_url: str, caller: Caller, size: int) -> None:
    """Fills a user's memory: half records, half episodes."""
    await live_through(services, admin_url, caller, Past(size // 2, size // 2))


async def live_through(services: Services, admin_url: str, caller: Caller, past: Past) -> None:
    """Fills a user's history."""
    scope = caller.scope
    cipher = await services.encryption.keyring.user(scope.tenant, scope.user)
    owned = turn_rows.owned(scope) | {"templates": TEMPLATES}
    dimensions = services.llm.embedder.dimensions
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute("set search_path to saegim, public")
        connection.execute("set session_replication_role to replica")
        _templates(connection, TermHasher(cipher.derive("terms")), dimensions)
        _records(connection, scope, cipher, past)
        _turns(connection, scope, caller.assistant, cipher, past)
        for statement in (VECTORS_OF_RECORDS, EPISODES, VECTORS_OF_EPISODES, COUNTS):
            connection.execute(statement.encode(), owned)
        connection.execute("vacuum analyze")


def _templates(connection: psycopg.Connection, hasher: TermHasher, dimensions: int) -> None:
    """Stores random vectors, and terms of which a few are common and most are rare."""
    chance = np.random.default_rng(3)
    index = [hasher.index(_word(rank)) for rank in range(VOCABULARY)]
    connection.execute("drop table if exists bench_template")
    connection.execute(
        "create unlogged table bench_template (number integer, embedding halfvec, "
        "record sparsevec, spoken sparsevec, own sparsevec)"
    )
    with connection.cursor().copy("copy bench_template from stdin") as copy:
        for number in range(TEMPLATES):
            vector = chance.normal(size=dimensions)
            vector /= np.linalg.norm(vector)
            terms = [
                _sparse([index[int(VOCABULARY * at**3)] for at in chance.random(count)])
                for count in (RECORD_TERMS, WINDOW_TERMS, OWN_TERMS)
            ]
            copy.write_row((number, dense_literal(vector.tolist()), *terms))


def _sparse(indices: list[int]) -> str:
    kept = tuple(sorted(set(indices)))
    return SparseVector(kept, tuple(1.0 for _ in kept)).literal()


def vocabulary() -> Callable[[int, int], str]:
    """Returns texts with the length and word frequencies of our own records."""
    chance = np.random.default_rng(4)
    picked = (VOCABULARY * chance.random((TEMPLATES, RECORD_TERMS)) ** 3).astype(int)

    def text(number: int, at: int) -> str:
        return " ".join([*map(_word, picked[number]), f"n{at}"])

    return text


def _word(rank: int) -> str:
    return f"w{rank}x"


def _records(connection: psycopg.Connection, scope: Scope, cipher: Cipher, past: Past) -> None:
    count = past.records
    owner = (scope.tenant, scope.user, scope.profile)
    columns = (
        "tenant_id, member_id, profile_id, memory_id, natural_hash, type, body, importance, "
        "said_at, sources, version, origin, pii, core, pinned, created_at, changed_at"
    )
    with connection.cursor().copy(f"copy memory ({columns}) from stdin".encode()) as copy:
        for number in range(count):
            said = NOW - timedelta(days=3650 * number / count)
            record = new_id(said)
            body = record_rows.Body(past.text(number), "", "", ()).seal(record, cipher)
            row = (*owner, record, record.bytes, MemoryType.FACT, body, 0.5, said, [], 1, "model")
            copy.write_row((*row, [], False, False, said, said))


def _turns(
    connection: psycopg.Connection, scope: Scope, assistant: UUID, cipher: Cipher, past: Past
) -> None:
    count = past.turns
    owner = (scope.tenant, scope.user, scope.profile)
    columns = (
        "tenant_id, member_id, profile_id, turn_id, session_id, assistant_id, number, state, "
        "message, reply, request_hash, attempt, created_at"
    )
    said = [NOW - timedelta(days=3650 * (count - at) / count) for at in range(count)]
    sessions = [new_id(said[at]) for at in range(0, count, SESSION_TURNS)]
    with connection.cursor().copy(f"copy turn ({columns}) from stdin".encode()) as copy:
        for at, when in enumerate(said):
            turn = new_id(when)
            message = cipher.seal(past.text(at), FieldLocation("turn.message", turn))
            reply = cipher.seal("네, 알겠습니다", FieldLocation("turn.reply", turn))
            place = (sessions[at // SESSION_TURNS], assistant, at % SESSION_TURNS + 1, "done")
            copy.write_row((*owner, turn, *place, message, reply, b"", 1, when))


def asking(whose: Person) -> list[RecallRequest]:
    """Returns questions of common and rare words."""
    chance = Random(7)
    return [
        RecallRequest(
            whose.scope,
            " ".join(_word(int(VOCABULARY * chance.random() ** 3)) for _ in range(QUESTION_WORDS)),
            NOW,
            "Asia/Seoul",
        )
        for _ in range(QUESTIONS)
    ]


async def p50(run: Callable[[RecallRequest], Awaitable[object]], talk: "Talk") -> float:
    """Returns the median milliseconds of a question in a conversation, with a turn written
    before each."""
    requests = asking(talk.whose)
    for request in requests[:WARM]:
        await run(request)
        await asyncio.sleep(LOADED_SECONDS)
    taken: list[float] = []
    for request in requests:
        talk.go_on()
        start = time.perf_counter()
        await run(request)
        taken.append(1000 * (time.perf_counter() - start))
    return median(taken)


class Talk:
    """A conversation that grows by a turn and its episode."""

    def __init__(self, home: BenchStack, whose: Person) -> None:
        self.whose = whose
        self._owned = turn_rows.owned(whose.scope)
        self._connection = psycopg.connect(home.admin_url, autocommit=True)
        self._connection.execute("set search_path to saegim, public")
        # The turn itself has no text.
        self._connection.execute("set session_replication_role to replica")

    def go_on(self) -> None:
        """Adds an episode and counts its terms, as the worker does."""
        self._connection.execute(ONE_MORE.encode(), self._owned | {"episode": new_id(NOW)})


async def scanning(services: Services, request: RecallRequest) -> Callable[[], Awaitable[object]]:
    """Returns the SQL queries of a recall, prepared as recall sends them."""
    scope, question = request.scope, question_of(request)
    cipher = await services.encryption.keyring.user(scope.tenant, scope.user)
    cell = await services.db.cells.for_tenant(scope.tenant)
    [embedding] = await services.llm.embedder.embed([question.text], "query")
    words = QueryTerms(question.terms, question.context, question.names)
    asked = await ask(cell, scope, cipher, words, embedding)
    return partial(look, cell, scope, scans(scope, asked, ScanFilter(request.now)))


async def bare(home: BenchStack, whose: Person) -> float:
    """Returns the median of the scans alone."""
    taken: list[float] = []
    for request in asking(whose):
        scan = await scanning(home.services, request)
        start = time.perf_counter()
        await scan()
        taken.append(1000 * (time.perf_counter() - start))
    return median(taken)


async def embedding(home: BenchStack, whose: Person) -> float:
    """Returns the median time of embedding a question, which recall includes."""
    taken: list[float] = []
    for request in asking(whose):
        text = question_of(request).text
        start = time.perf_counter()
        await home.services.llm.embedder.embed([text], "query")
        taken.append(1000 * (time.perf_counter() - start))
    return median(taken)


async def measure(home: BenchStack, sizes: dict[str, int]) -> dict[str, float]:
    """Returns the figures by size: a question in a conversation, a first question without the
    cache, and the scans alone."""
    figures: dict[str, float] = {}
    for name, size in sizes.items():
        whose = await person(home, size)
        talk = Talk(home, whose)
        first = await p50(unheld(home.services).recall, talk)
        recall = await p50(home.services.memory.recall.recall, talk)
        alone = await bare(home, whose)
        figures["recall.embedding_p50_ms"] = round(await embedding(home, whose), 1)
        figures[f"recall.p50_ms.{name}"] = round(recall, 1)
        figures[f"recall.first_p50_ms.{name}"] = round(first, 1)
        figures[f"recall.bare_p50_ms.{name}"] = round(alone, 1)
        figures[f"recall.p50_ratio.{name}"] = round(recall / alone, 2)
        figures[f"recall.first_p50_ratio.{name}"] = round(first / alone, 2)
    return figures


def unheld(services: Services) -> Recall:
    """Returns recall without the cache."""
    store = PostgresRecall(
        services.db.cells, services.encryption.keyring, RecallCache(0, services.clock)
    )
    return Recall(store, services.memory.embedder)

"""Search the turns of a user by keyed hashes of their words."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.sessions import Sessions
from saegim.conversations.types import Turn
from saegim.db.cells import Cells, Row, execute, fetch_all
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.text.analysis import fold, query_terms, sentences
from saegim.text.tokens import cut_at_space

BATCH = 200
MOST_TERMS = 2_000
SNIPPET_CHARACTERS = 160
# Hits with less than this part of the best score share only pieces of words with the query.
LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class TurnHit:
    session: UUID
    title: str
    turn: UUID
    snippet: str
    used_at: datetime


class TurnSearch:
    def __init__(self, cells: Cells, keyring: Keyring, sessions: Sessions) -> None:
        self._cells = cells
        self._keyring = keyring
        self._sessions = sessions

    async def index(self, tenant: UUID, session: UUID) -> int:
        """Index the turns of a session that are not indexed; return their number."""
        return await self._index_all(tenant, "unindexed_of_session", session=session)

    async def index_older(self, tenant: UUID) -> int:
        """Index the turns of a tenant that are not indexed, as those of older releases."""
        return await self._index_all(tenant, "unindexed_turns")

    async def search(self, scope: Scope, query: str, count: int) -> list[TurnHit]:
        """Return the turns on the branches in use that match best, newest first among equals."""
        words = query_terms(query)
        if not words:
            return []
        cipher = await self._keyring.user(scope.tenant, scope.user)
        values = turn_rows.owner(scope) | {
            "terms": hashed(words, cipher),
            "any_of": hashed(first_terms(query) or words, cipher),
        }
        rows = await self._cells.fetch_all(scope.tenant, "search_turn_terms", **values)
        best = ranked(rows)
        hits: list[TurnHit] = []
        # Turns out of use and of hidden sessions are left out only when they are read.
        for batch in (best[:count], best[count : count + BATCH]):
            if batch and len(hits) < count:
                hits += await self._hits(scope, batch, words, cipher)
        return hits[:count]

    async def _hits(
        self, scope: Scope, turns: Sequence[UUID], words: Sequence[str], cipher: Cipher
    ) -> list[TurnHit]:
        """Return the turns that may be shown, in this order, with their snippets."""
        rows = await self._cells.fetch_all(
            scope.tenant, "find_turns", **turn_rows.owner(scope), turns=list(turns)
        )
        found = {
            row["turn_id"]: turn_rows.read(row, cipher)
            for row in rows
            if not turn_rows.inputs_of(row["inputs"], row["turn_id"], cipher).draft
        }
        titles = await self._sessions.titles(scope, {turn.session for turn in found.values()})
        shown = [(turn, snippet(turn, words)) for each in turns if (turn := found.get(each))]
        return [
            TurnHit(turn.session, titles[turn.session], turn.id, excerpt, turn.created_at)
            for turn, excerpt in shown
            if excerpt
        ]

    async def _index_all(self, tenant: UUID, query: str, **values: object) -> int:
        indexed = 0
        while True:
            async with self._cells.transaction(tenant) as connection:
                rows = await fetch_all(connection, query, tenant=tenant, most=BATCH, **values)
                for row in rows:
                    cipher = await self._keyring.user(tenant, row["member_id"])
                    turn = turn_rows.read(row, cipher)
                    terms = hashed(terms_of(text_of(turn)), cipher)
                    entry = {"tenant": tenant, "turn": turn.id, "terms": terms}
                    await execute(connection, "save_turn_terms", **entry)
            indexed += len(rows)
            if len(rows) < BATCH:
                return indexed


def terms_of(text: str) -> list[str]:
    """Return the terms of a text as a query has them, without function words and particles."""
    terms = [term for sentence in sentences(text) for term in query_terms(sentence)]
    return list(dict.fromkeys(terms))[:MOST_TERMS]


def first_terms(query: str) -> list[str]:
    """Return the first term of each word. A turn with the word has it, and few terms are quickly
    compared."""
    return [terms[0] for word in query.split() if (terms := query_terms(word))]


def hashed(terms: Sequence[str], cipher: Cipher) -> list[int]:
    """Return a keyed hash of each distinct term."""
    keyed = blake2b(key=cipher.derive("terms"), digest_size=8, person=b"turn terms")
    hashes: dict[int, None] = {}
    for term in terms:
        digest = keyed.copy()
        digest.update(term.encode("utf-8", "surrogatepass"))
        hashes[int.from_bytes(digest.digest(), signed=True)] = None
    return list(hashes)


def ranked(rows: Sequence[Row]) -> list[UUID]:
    """Return the turns by the weight of the terms they match; rarer terms weigh more."""
    counts = Counter[int](term for row in rows for term in row["matched"])
    weights = {term: math.log(1 + len(rows) / count) for term, count in counts.items()}
    scores = {row["turn_id"]: sum(weights[term] for term in row["matched"]) for row in rows}
    least = LEAST_SHARE * max(scores.values(), default=0.0)
    best = [turn for turn, score in scores.items() if score >= least]
    # Ids grow with time.
    return sorted(best, key=lambda turn: (scores[turn], turn), reverse=True)


def text_of(turn: Turn) -> str:
    """Return the words of a turn without redacted ones."""
    exchange = turn.exchange()
    return f"{exchange.message}\n{exchange.reply}".strip()


def snippet(turn: Turn, words: Sequence[str]) -> str:
    """Return the sentence with most of the words, cut around the first; "" if none has any."""
    wanted = set(words)

    def matches(sentence: str) -> int:
        return len(wanted.intersection(query_terms(sentence)))

    best = max(sentences(text_of(turn)), key=matches, default="")
    if not matches(best):
        return ""
    text = " ".join(best.split())
    if len(text) <= SNIPPET_CHARACTERS:
        return text
    folded = fold(text)
    places = [place for word in words if (place := folded.find(word)) >= 0]
    start = max(0, min(places, default=0) - SNIPPET_CHARACTERS // 3)
    if start:
        start = text.find(" ", start) + 1 or start
    rest = cut_at_space(text[start:], SNIPPET_CHARACTERS)
    return f"{'… ' if start else ''}{rest}{' …' if len(rest) < len(text) - start else ''}"

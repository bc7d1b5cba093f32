"""Encrypt turns into rows and decrypt them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from saegim.conversations.branches import PointKind, TreeTurn, TurnTree
from saegim.conversations.types import (
    Lease,
    NewTurn,
    OpenTurn,
    Outcome,
    Redactions,
    SessionVersion,
    StatementFate,
    Turn,
    TurnInputs,
    TurnState,
)
from saegim.db.cells import Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.text.tokens import count

_INPUTS = TypeAdapter(TurnInputs)
FIRST_INPUTS = ("history", "selected_doc_ids", "masked")
"""Inputs that are stored even if empty, as in the first release."""


@dataclass(frozen=True, slots=True)
class SealedTurn:
    """Encrypted and hashed columns of a new turn."""

    message: bytes
    inputs: bytes
    request_hash: bytes
    idempotency_hash: bytes | None
    session_hash: bytes | None


def seal_new(new: NewTurn, profile: UUID, cipher: Cipher) -> SealedTurn:
    inputs = json.dumps(_stored(new.inputs), ensure_ascii=False)
    point = f":{new.point.kind}:{new.point.turn}" if new.point else ""
    named = new.session is not None and as_uuid(new.session) is None
    return SealedTurn(
        message=cipher.seal(new.message, FieldLocation("turn.message", new.id)),
        inputs=cipher.seal(inputs, FieldLocation("turn.inputs", new.id)),
        request_hash=cipher.fingerprint(f"request:{new.session}:{new.message}:{inputs}{point}"),
        idempotency_hash=(
            cipher.fingerprint(f"idempotency:{profile}:{new.idempotency_key}")
            if new.idempotency_key is not None
            else None
        ),
        session_hash=cipher.fingerprint(f"session:{new.session}") if named else None,
    )


def seal_outcome(turn: Turn, outcome: Outcome, cipher: Cipher) -> dict[str, Any]:
    trace = json.dumps(dict(outcome.trace), ensure_ascii=False)
    reply = None
    if outcome.reply is not None:
        reply = cipher.seal(outcome.reply, FieldLocation("turn.reply", turn.id))
    documents = None
    if outcome.doc_ids:
        doc_ids = json.dumps(outcome.doc_ids, ensure_ascii=False)
        documents = cipher.seal(doc_ids, FieldLocation("turn.doc_ids", turn.id))
    effects = () if outcome.state is TurnState.FAILED else outcome.effects
    return {
        "state": outcome.state,
        "reply": reply,
        "doc_ids": documents,
        "by_rule": outcome.by_rule,
        "error": outcome.error,
        "effects": Jsonb([*map(dict, effects)]) if effects else None,
        "tokens": count(turn.message) + count(outcome.reply or ""),
        "trace": cipher.seal(trace, FieldLocation("turn_trace.trace", turn.id)),
    }


def columns(new: NewTurn, sealed: SealedTurn) -> dict[str, Any]:
    return {
        **asdict(sealed),
        "turn": new.id,
        "attempt": new.lease.attempt,
        "lease_owner": new.lease.owner,
        "lease_seconds": new.times.lasts_seconds,
        "now": new.now,
    }


def owner(scope: Scope) -> dict[str, Any]:
    return {"member": scope.user, "profile": scope.profile}


def owned(scope: Scope) -> dict[str, Any]:
    return {"tenant": scope.tenant, **owner(scope)}


@dataclass(slots=True)
class OwnedRows:
    """Named queries on the rows of one user in a transaction."""

    connection: Connection
    scope: Scope

    async def one(self, name: str, /, **values: object) -> Row | None:
        return await fetch_one(self.connection, name, **owned(self.scope), **values)

    async def all(self, name: str, /, **values: object) -> list[Row]:
        return await fetch_all(self.connection, name, **owned(self.scope), **values)

    async def run(self, name: str, /, **values: object) -> int:
        return await execute(self.connection, name, **owned(self.scope), **values)


def trace_of(sealed: bytes, turn: UUID, cipher: Cipher) -> Mapping[str, Any]:
    return json.loads(cipher.open(sealed, FieldLocation("turn_trace.trace", turn)))


def lease_values(turn: Turn, lease: Lease) -> dict[str, Any]:
    return {
        "tenant": turn.scope.tenant,
        "turn": turn.id,
        "lease_owner": lease.owner,
        "attempt": lease.attempt,
    }


def read(row: Row, cipher: Cipher) -> Turn:
    turn: UUID = row["turn_id"]
    reply, documents = row["reply"], row["doc_ids"]
    return Turn(
        id=turn,
        scope=Scope(row["tenant_id"], row["member_id"], row["profile_id"]),
        session=row["session_id"],
        assistant=row["assistant_id"],
        number=row["number"],
        state=TurnState(row["state"]),
        message=cipher.open(row["message"], FieldLocation("turn.message", turn)),
        reply=None if reply is None else cipher.open(reply, FieldLocation("turn.reply", turn)),
        attempt=row["attempt"],
        created_at=row["created_at"],
        settled_at=row["settled_at"],
        error=row["error"],
        doc_ids=(
            tuple(json.loads(cipher.open(documents, FieldLocation("turn.doc_ids", turn))))
            if documents is not None
            else ()
        ),
        redactions=redactions_of(row["redactions"]),
        outdated=_outdated(row["outdated"] or {}),
        by_rule=row["by_rule"],
        parent=row["parent_id"],
        variant_of=row["variant_of"],
        continues=row["continues"],
        in_use=row["in_use"],
        effects=tuple(row["effects"] or ()),
    )


def _outdated(stored: Mapping[str, Sequence[Any]]) -> tuple[tuple[int, StatementFate], ...]:
    return tuple(sorted((at, StatementFate(why)) for at, why in stored.values()))


def redactions_of(stored: Mapping[str, Any] | None) -> Redactions:
    """Return the spans of forgotten records, without spans that other records share."""
    if stored is None:
        return Redactions()
    forgotten, retained = places_of(stored)
    return _union(forgotten).but(_union(retained))


def places_of(
    stored: Mapping[str, Any] | None,
) -> tuple[dict[str, Redactions], dict[str, Redactions]]:
    """Return the spans of a turn by record: redacted ones and retained ones."""
    stored = stored or {}
    return _spans(stored.get("forgotten", {})), _spans(stored.get("kept", {}))


def _spans(stored: Mapping[str, Any]) -> dict[str, Redactions]:
    return {
        record: Redactions(
            *(tuple((a, b) for a, b in spans[part]) for part in ("message", "reply"))
        )
        for record, spans in stored.items()
    }


def _union(by_record: Mapping[str, Redactions]) -> Redactions:
    return reduce(lambda one, other: one | other, by_record.values(), Redactions())


def session_version(row: Row) -> SessionVersion:
    return SessionVersion(row["completed_turns"], row["summary_version"])


def inputs_of(sealed: bytes | None, turn: UUID, cipher: Cipher) -> TurnInputs:
    if sealed is None:
        return TurnInputs()
    return _INPUTS.validate_json(cipher.open_bytes(sealed, FieldLocation("turn.inputs", turn)))


def keep_attached(
    sealed: SealedTurn, new: NewTurn, parent: TurnInputs, cipher: Cipher
) -> tuple[SealedTurn, NewTurn]:
    """Add the documents attached before a turn to its inputs; they do not count for its hash."""
    if not parent.attached_doc_ids:
        return sealed, new
    new = replace(new, inputs=replace(new.inputs, kept_doc_ids=parent.attached_doc_ids))
    inputs = json.dumps(_stored(new.inputs), ensure_ascii=False)
    place = FieldLocation("turn.inputs", new.id)
    return replace(sealed, inputs=cipher.seal(inputs, place)), new


def open_turn(row: Row, cipher: Cipher, lease: Lease | None) -> OpenTurn:
    turn = read(row, cipher)
    return OpenTurn(
        turn,
        inputs_of(row["inputs"], turn.id, cipher),
        session_version(row),
        lease,
        row["text_shown"],
        row["refs"],
    )


def as_uuid(text: str | None) -> UUID | None:
    """Parse a UUID; None if the text is none."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return None


def _stored(inputs: TurnInputs) -> dict[str, Any]:
    """Return the inputs as JSON without new empty fields, which would change the request hash."""
    stored = asdict(inputs)
    for entry in stored["history"] or ():
        if not entry["entities"]:
            del entry["entities"]
    default = asdict(TurnInputs())
    return {
        key: value for key, value in stored.items() if key in FIRST_INPUTS or value != default[key]
    }


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """The columns that place a turn in the tree."""

    parent: UUID | None
    variant_of: UUID | None = None
    continues: UUID | None = None


async def place_turn(
    connection: Connection, scope: Scope, new: NewTurn, session: Row
) -> tuple[TurnPlace, Row]:
    """Return the place of a new turn and the session, which is locked. A variant puts the
    branch up to its parent in use. Raises Conflict if the turn cannot be continued."""
    ids = {"tenant": scope.tenant, "session": session["session_id"]}
    if new.point is None:
        last = await fetch_one(connection, "last_in_use", **ids)
        return TurnPlace(last["turn_id"] if last else None), session
    tree = await read_tree(connection, ids)
    turn = tree.find(new.point.turn)
    if turn is None:
        raise NotFound("turn")
    if new.point.kind is PointKind.CONTINUATION:
        if turn != tree.last_in_use:
            raise Conflict("only the last turn can be continued")
        return TurnPlace(turn.id, None, turn.id), session
    parent = tree.parent(turn)
    session = await use_branch(connection, ids, tree, tree.path(parent))
    first = turn.variant_of or turn.id
    return TurnPlace(parent.id if parent else None, first, turn.continues), session


async def read_tree(connection: Connection, ids: Mapping[str, UUID]) -> TurnTree:
    """Read the turns of a session without their texts."""
    rows = await fetch_all(connection, "turn_tree", **ids)
    return TurnTree(from_row(TreeTurn, row, id=row["turn_id"]) for row in rows)


async def use_branch(
    connection: Connection, ids: Mapping[str, UUID], tree: TurnTree, branch: Sequence[TreeTurn]
) -> Row:
    """Put a branch in use. A summary with turns of another branch is made again; where older
    turns are deleted it is kept, and continued with the turns of the branch."""
    turns = [turn.id for turn in branch]
    await execute(connection, "use_branch", **ids, turns=turns)
    shared, deleted = tree.shared(branch), tree.deleted_through
    if deleted:
        await execute(connection, "lower_summary", **ids, number=max(shared, deleted))
    else:
        await execute(connection, "drop_summary_after", **ids, number=shared)
    session = await fetch_one(connection, "age_session", **ids)
    assert session is not None, "the session is locked"
    return session

"""Place turns in the tree of their session, and put branches in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from saegim.conversations.branches import PointKind, TreeTurn, TurnTree
from saegim.conversations.stored_turns import NewTurn
from saegim.db.cells import Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """The columns that place a turn in the tree."""

    parent: UUID | None
    variant_of: UUID | None = None
    continues: UUID | None = None


async def place(
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
    session = await use(connection, ids, tree, tree.path(parent))
    first = turn.variant_of or turn.id
    return TurnPlace(parent.id if parent else None, first, turn.continues), session


async def read_tree(connection: Connection, ids: Mapping[str, UUID]) -> TurnTree:
    """Read the turns of a session without their texts."""
    rows = await fetch_all(connection, "turn_tree", **ids)
    return TurnTree(from_row(TreeTurn, row, id=row["turn_id"]) for row in rows)


async def use(
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

"""The tree of a session's turns."""

from uuid import UUID

from saegim.conversations.branches import TreeTurn, TurnTree


def turn(
    number: int,
    parent: int | None = None,
    variant_of: int | None = None,
    *,
    in_use: bool = True,
    settled: bool = True,
) -> TreeTurn:
    of = None if variant_of is None else UUID(int=variant_of)
    after = None if parent is None else UUID(int=parent)
    return TreeTurn(UUID(int=number), number, after, of, None, in_use, settled)


def numbers(turns: list[TreeTurn]) -> list[int]:
    return [turn.number for turn in turns]


def branched() -> TurnTree:
    """1 → 2 → 3, with 4 instead of 2, then 5, and 6 instead of 1."""
    return TurnTree(
        [
            turn(1, in_use=False),
            turn(2, 1, in_use=False),
            turn(3, 2, in_use=False),
            turn(4, 1, 2, in_use=False),
            turn(5, 4, in_use=False),
            turn(6, None, 1),
        ]
    )


def found(tree: TurnTree, number: int) -> TreeTurn:
    each = tree.find(UUID(int=number))
    assert each is not None
    return each


def test_a_branch_leads_from_the_first_turn_to_the_newest() -> None:
    tree = branched()

    assert numbers(tree.newest_branch(found(tree, 2))) == [1, 2, 3]
    assert numbers(tree.newest_branch(found(tree, 4))) == [1, 4, 5]
    assert numbers(tree.newest_branch(found(tree, 1))) == [1, 4, 5]
    assert numbers(tree.newest_branch(found(tree, 6))) == [6]


def test_the_oldest_turns_may_be_deleted() -> None:
    assert branched().deleted_through == 0
    assert TurnTree([turn(3, 2), turn(4, 3)]).deleted_through == 2
    assert TurnTree([]).deleted_through == 0


def test_turns_of_older_releases_form_one_line() -> None:
    tree = TurnTree([turn(1), turn(2), turn(4), turn(5, 2, 4), turn(6, 5)])

    assert numbers(tree.path(found(tree, 4))) == [1, 2, 4]
    assert numbers(tree.path(found(tree, 6))) == [1, 2, 5, 6]


def test_a_removed_parent_ends_the_branch() -> None:
    tree = TurnTree([turn(5, 4), turn(6, 5)])

    assert numbers(tree.path(found(tree, 6))) == [5, 6]


def test_a_tree_tells_what_branches_share_and_whether_a_turn_runs() -> None:
    tree = TurnTree([turn(1), turn(2, 1), turn(3, 2), turn(4, 2, 3, in_use=False, settled=False)])

    assert tree.shared(tree.path(found(tree, 4))) == 2
    assert tree.shared([]) == 0
    assert tree.running
    last = tree.last_in_use
    assert last is not None
    assert last.number == 3

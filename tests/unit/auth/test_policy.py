"""Roles and scopes: default deny, and nothing that widens."""

import itertools
from uuid import uuid4

import pytest

from saegim.auth.grants import GRANTS
from saegim.domain.errors import PermissionDenied
from saegim.domain.policy import ALLOWED, PERSONAL, Permission, allows
from saegim.domain.scope import Caller, Role, Scope

pytestmark = pytest.mark.requirement("OP5")


def caller(role: Role, scopes: frozenset[str] | None = None) -> Caller:
    return Caller(Scope(uuid4(), uuid4(), uuid4()), role, uuid4(), uuid4(), scopes=scopes)


def test_each_role_contains_the_one_below_it() -> None:
    ladder = [Role.MEMBER, Role.EDITOR, Role.ADMIN, Role.OWNER]
    for lower, higher in itertools.pairwise(ladder):
        assert ALLOWED[lower] < ALLOWED[higher]


def test_a_member_reaches_only_what_is_its_own() -> None:
    assert ALLOWED[Role.MEMBER] == PERSONAL


def test_an_auditor_reads_the_trail_and_changes_nothing() -> None:
    changing = {each for each in Permission if "manage" in each.name.lower()}
    changing |= {Permission.CHAT, Permission.EDIT_LIBRARY, Permission.ERASE_OTHERS}

    assert Permission.READ_AUDIT in ALLOWED[Role.AUDITOR]
    assert not ALLOWED[Role.AUDITOR] & changing


def test_scopes_narrow_a_role_and_never_widen_it() -> None:
    narrow = caller(Role.ADMIN, frozenset({"chat", "keys"}))
    wide = caller(Role.MEMBER, frozenset(each.value for each in Permission))

    assert {each for each in Permission if allows(narrow, each)} == {
        Permission.CHAT,
        Permission.MANAGE_KEYS,
    }
    assert {each for each in Permission if allows(wide, each)} == set(PERSONAL)


def test_no_scope_at_all_means_nothing() -> None:
    assert not any(allows(caller(Role.OWNER, frozenset()), each) for each in Permission)


@pytest.mark.parametrize("giver", list(Role))
@pytest.mark.parametrize("given", list(Role))
def test_nobody_gives_away_more_than_they_have(giver: Role, given: Role) -> None:
    if ALLOWED[given] <= ALLOWED[giver]:
        GRANTS.change_member(caller(giver), [], given)
    else:
        with pytest.raises(PermissionDenied):
            GRANTS.change_member(caller(giver), [], given)


def test_a_narrow_admin_cannot_make_a_whole_one() -> None:
    with pytest.raises(PermissionDenied):
        GRANTS.change_member(caller(Role.ADMIN, frozenset({"keys"})), [], Role.ADMIN)

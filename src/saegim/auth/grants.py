"""Nobody obtains what they may not grant.

Every way in which a role, a scope, a group, a person or somebody's documents change hands is
decided here: keys, tokens, issuers, linked names, members, erasures, collections, reading others.
The rules are data: the container passes them, and a test can pass one fewer."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.auth.types import MemberProfile, Membership
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.policy import (
    ALLOWED,
    PERSONAL,
    Permission,
    allows,
    permissions,
    require,
)
from saegim.domain.scope import Caller, CredentialKind, Role
from saegim.domain.tenancy import CollectionAccess


class GrantRule(StrEnum):
    """One thing that is checked before something changes hands."""

    KEY_RIGHTS = "key_rights"
    """A key has no permission that its maker lacks."""
    KEY_GROUPS = "key_groups"
    """A key has no group that its maker may not give."""
    KEY_PERSON = "key_person"
    """A key for another existing person needs the permission to read others, and a reason."""
    KEY_FOR_ANYONE = "key_for_anyone"
    """So does a key that may act as anybody."""
    ROTATION = "rotation"
    """Rotating a key hands out its secret, so it needs what making the key would."""
    REVOCATION = "revocation"
    """Nobody revokes a key that may do more than they."""
    TOKEN_GROUPS = "token_groups"  # noqa: S105 - the name of a rule
    """A token has no group that its minter lacks."""
    ISSUER = "issuer"
    """An issuer can sign for anybody, so naming one needs every permission there is."""
    LINK_ROLE = "link_role"
    """A name with a role above member is not linked, nor linked to."""
    LINKED_ROLE = "linked_role"
    """A linked name has the lesser of both roles."""
    LINKED_GROUPS = "linked_groups"
    """A linked name has the groups that both sides have."""
    MEMBER_ROLE = "member_role"
    """Nobody gives a role that may do more than they."""
    MEMBER_GROUPS = "member_groups"
    """Nobody gives a group that they may not give."""
    MEMBER_TARGET = "member_target"
    """Nobody changes a member who may do more than they."""
    ERASURE_TARGET = "erasure_target"
    """Nobody erases a member who may do more than they."""
    OWN_COLLECTION = "own_collection"
    """Only its owner writes to a person's own documents."""
    COLLECTION_AUDIENCE = "collection_audience"
    """Only its audience writes to a collection, and those who say who its audience is."""
    READ_REASON = "read_reason"
    """Reading what other people said needs a reason."""


RULES = frozenset(GrantRule)

DENIED_PERMISSIONS: Mapping[CredentialKind, Set[Permission]] = {
    CredentialKind.KEY: frozenset(),
    CredentialKind.TOKEN: frozenset(
        {
            Permission.LINK_IDENTITIES,
            Permission.EXPORT_SELF,
            Permission.ERASE_SELF,
            Permission.INSTRUCT,
        }
    ),
    CredentialKind.ISSUER: frozenset({Permission.INSTRUCT}),
}
"""What a kind of credential does not have, whatever its role; a token may be minted with it."""


@dataclass(frozen=True, slots=True)
class KeyRights:
    """What a key would give to whoever holds it: `member` is None where it acts as anybody."""

    standing: Membership
    member: UUID | None
    existing: bool = True
    reason: str = ""


class Grants:
    """The rules. All methods but those that return something raise Forbidden."""

    def __init__(
        self,
        rules: Set[GrantRule] = RULES,
        denied: Mapping[CredentialKind, Set[Permission]] = DENIED_PERMISSIONS,
    ) -> None:
        self._rules = rules
        self._denied = denied

    # Credentials -----------------------------------------------------------------------------

    def make_key(self, caller: Caller, key: KeyRights) -> None:
        """Whether the caller may hold a key with these rights, or hand it out."""
        self._cover(GrantRule.KEY_RIGHTS, caller, key.standing)
        if GrantRule.KEY_GROUPS in self._rules:
            _groups(caller, key.standing.groups)
        if key.member is None:
            self._person(GrantRule.KEY_FOR_ANYONE, caller, key.reason)
        elif key.existing and key.member != caller.scope.user:
            self._person(GrantRule.KEY_PERSON, caller, key.reason)

    def rotate_key(self, caller: Caller, key: KeyRights) -> None:
        """Whether the caller may be shown the secret of the key's successor."""
        if GrantRule.ROTATION in self._rules:
            self.make_key(caller, key)

    def revoke_key(self, caller: Caller, key: KeyRights) -> None:
        """Whether the caller may end the key; everybody may end their own."""
        if key.member != caller.scope.user or key.member is None:
            self._cover(GrantRule.REVOCATION, caller, key.standing)

    def token_groups(self, caller: Caller, wanted: Set[str]) -> frozenset[str]:
        """The groups that a token gets of those that were asked for."""
        return frozenset(
            wanted & caller.groups if GrantRule.TOKEN_GROUPS in self._rules else wanted
        )

    def groups_in_token(self, minted: Set[str], key: Set[str]) -> frozenset[str]:
        """The groups of a token now: its key may have lost some since."""
        return frozenset(minted & key if GrantRule.TOKEN_GROUPS in self._rules else minted)

    def token_permissions(self, caller: Caller, may: Set[str]) -> frozenset[str]:
        """What a token gets besides what every token may; the minter must have all of it."""
        wanted = {each for each in PERSONAL if each.value in may}
        for each in wanted:
            require(caller, each)
        return frozenset(each.value for each in wanted)

    def of_token(self, key_scopes: Set[str] | None, may: Set[str]) -> frozenset[str]:
        """The scopes of a token: a member's, without what is withheld unless it was minted with
        it, and never more than its key has."""
        denied = {each.value for each in self._denied[CredentialKind.TOKEN]} - may
        given = {each.value for each in PERSONAL} - denied
        return frozenset(given if key_scopes is None else given & key_scopes)

    def of_issuer(self, role: Role) -> frozenset[str]:
        """The scopes of a person who signed in with the tenant's own issuer."""
        given = permissions(role) - self._denied[CredentialKind.ISSUER]
        return frozenset(each.value for each in given)

    def name_issuer(self, caller: Caller) -> None:
        """Whether the caller may say who signs for the tenant's users."""
        self._cover(GrantRule.ISSUER, caller, Membership(Role.OWNER))

    # People ----------------------------------------------------------------------------------

    def link(self, roles: Iterable[Role]) -> None:
        """Whether names of members with these roles may lead to one person."""
        if GrantRule.LINK_ROLE in self._rules and any(role is not Role.MEMBER for role in roles):
            raise PermissionDenied("only accounts with the role member can be linked")

    def role_of(self, person: MemberProfile) -> Role:
        """The role that a name has: of a linked one the lesser of both."""
        if person.own is None or GrantRule.LINKED_ROLE not in self._rules:
            return person.role
        return lesser(person.role, person.own.role)

    def groups_of(self, person: MemberProfile) -> Set[str]:
        """The groups that a name has: of a linked one those of both."""
        if person.own is None or GrantRule.LINKED_GROUPS not in self._rules:
            return person.groups
        return person.groups & person.own.groups

    def change_member(
        self, caller: Caller, target: Iterable[Membership], role: Role | None
    ) -> None:
        """Whether the caller may act on a member who has all this, and give them this role."""
        for each in target:
            self._cover(GrantRule.MEMBER_TARGET, caller, each)
        if role is not None:
            self._cover(GrantRule.MEMBER_ROLE, caller, Membership(role))

    def give_groups(self, caller: Caller, added: Set[str]) -> None:
        """Whether the caller may put a member into these groups."""
        if GrantRule.MEMBER_GROUPS in self._rules:
            _groups(caller, added)

    def erase(self, caller: Caller, target: Iterable[Membership]) -> None:
        """Whether the caller may erase a member who has all this."""
        for each in target:
            self._cover(GrantRule.ERASURE_TARGET, caller, each)

    def read_others(self, caller: Caller, permission: Permission, reason: str) -> None:
        """Whether the caller may read what others said. Raises Invalid without a reason."""
        require(caller, permission)
        if GrantRule.READ_REASON in self._rules and not reason.strip():
            raise Invalid("a reason is required to read other users' data")

    # Documents -------------------------------------------------------------------------------

    def may_write(self, caller: Caller, collection: CollectionAccess) -> bool:
        """Whether the caller may bring documents into a collection, and see how that goes."""
        if collection.owner is not None:
            own = collection.owner == caller.scope.user
            return own or GrantRule.OWN_COLLECTION not in self._rules
        if not collection.audience or GrantRule.COLLECTION_AUDIENCE not in self._rules:
            return True
        managed = allows(caller, Permission.MANAGE_COLLECTIONS)
        return managed or bool(collection.audience & caller.groups)

    # ------------------------------------------------------------------------------------------

    def _cover(self, rule: GrantRule, caller: Caller, standing: Membership) -> None:
        given = permissions(standing.role, standing.scopes)
        if rule in self._rules and not given <= permissions(caller.role, caller.scopes):
            raise PermissionDenied("you cannot grant permissions you do not have")

    def _person(self, rule: GrantRule, caller: Caller, reason: str) -> None:
        if rule not in self._rules or caller.acts_for_others:
            return
        self.read_others(caller, Permission.READ_OTHERS, reason)


def lesser(one: Role, other: Role) -> Role:
    """The role that may do less; a member where neither holds the other."""
    if ALLOWED[one] <= ALLOWED[other]:
        return one
    return other if ALLOWED[other] <= ALLOWED[one] else Role.MEMBER


def may_grant_role(caller: Caller, role: Role) -> bool:
    """Whether the caller may give this role."""
    return permissions(role) <= permissions(caller.role, caller.scopes)


def _groups(caller: Caller, wanted: Set[str]) -> None:
    """Groups are given by those who have them, or who say what every group may read."""
    managed = allows(caller, Permission.MANAGE_MEMBERS) and allows(
        caller, Permission.MANAGE_COLLECTIONS
    )
    if not managed and not wanted <= caller.groups:
        raise PermissionDenied("you cannot grant permissions you do not have")


GRANTS = Grants()

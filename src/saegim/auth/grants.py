"""Rules against privilege escalation: no caller obtains permissions that it may not grant.

They cover keys, tokens, issuers, linked identities, members, erasures, collections and reading data
of others. The rules are data, so that a test can leave one out."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.auth.types import MemberProfile, Membership
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.policy import (
    ALLOWED,
    OF_PEOPLE,
    PERSONAL,
    Permission,
    allows,
    permissions,
    require,
)
from saegim.domain.scope import Caller, CredentialKind, Role
from saegim.domain.tenancy import CollectionAccess


class GrantRule(StrEnum):
    """A rule against privilege escalation."""

    KEY_RIGHTS = "key_rights"
    """A key has no permission that its creator lacks."""
    KEY_GROUPS = "key_groups"
    """A key has no group that its creator may not grant."""
    KEY_PERSON = "key_person"
    """A key for another name, used or not, needs the permission to read others, and a reason."""
    KEY_FOR_ANYONE = "key_for_anyone"
    """So does a key that may act as any user."""
    ROTATION = "rotation"
    """Rotating a key returns a secret, so it needs the same rights as creating the key."""
    REVOCATION = "revocation"
    """A caller cannot revoke a key with more permissions."""
    TOKEN_GROUPS = "token_groups"  # noqa: S105 - the name of a rule
    """A token has no group that its key lacks."""
    ISSUER = "issuer"
    """An issuer can sign for any user, so adding one needs every permission."""
    LINK_ROLE = "link_role"
    """Accounts with a role above member cannot be linked."""
    LINKED_ROLE = "linked_role"
    """A linked account has the lesser of both roles."""
    LINKED_GROUPS = "linked_groups"
    """A linked account has the groups that both sides have."""
    MEMBER_ROLE = "member_role"
    """A caller cannot grant a role with more permissions."""
    MEMBER_GROUPS = "member_groups"
    """A caller cannot grant a group that it does not have or manage."""
    MEMBER_TARGET = "member_target"
    """A caller cannot change a member with more permissions."""
    ERASURE_TARGET = "erasure_target"
    """A caller cannot erase a member with more permissions."""
    OWN_COLLECTION = "own_collection"
    """Only the owner writes to private documents."""
    COLLECTION_AUDIENCE = "collection_audience"
    """Only the audience and the managers of collections write to a collection."""
    READ_REASON = "read_reason"
    """Reading data of others needs a reason."""


RULES = frozenset(GrantRule)

DENIED_PERMISSIONS: Mapping[CredentialKind, Set[Permission]] = {
    CredentialKind.KEY: frozenset(),
    CredentialKind.TOKEN: frozenset(
        {
            Permission.LINK_IDENTITIES,
            Permission.EXPORT_SELF,
            Permission.ERASE_SELF,
            Permission.INSTRUCT,
            Permission.ATTACH,
        }
    ),
    CredentialKind.ISSUER: frozenset({Permission.INSTRUCT}),
    CredentialKind.ACCOUNT: frozenset(),
}
"""Permissions that a kind of credential lacks, whatever its role; a token may be minted with
them."""


@dataclass(frozen=True, slots=True)
class KeyRights:
    """The rights of a key; `member` is None if it may act as any user."""

    standing: Membership
    member: UUID | None
    reason: str = ""


class Grants:
    """The rules. Methods that return nothing raise PermissionDenied."""

    def __init__(
        self,
        rules: Set[GrantRule] = RULES,
        denied: Mapping[CredentialKind, Set[Permission]] = DENIED_PERMISSIONS,
    ) -> None:
        self._rules = rules
        self._denied = denied

    # Credentials -----------------------------------------------------------------------------

    def make_key(self, caller: Caller, key: KeyRights) -> None:
        """Checks that the caller may create a key with these rights."""
        self._cover(GrantRule.KEY_RIGHTS, caller, key.standing)
        if GrantRule.KEY_GROUPS in self._rules:
            _groups(caller, key.standing.groups)
        if key.member is None:
            self._person(GrantRule.KEY_FOR_ANYONE, caller, key.reason)
        elif key.member != caller.scope.user:
            self._person(GrantRule.KEY_PERSON, caller, key.reason)

    def rotate_key(self, caller: Caller, key: KeyRights) -> None:
        """Checks that the caller may rotate the key."""
        if GrantRule.ROTATION in self._rules:
            self.make_key(caller, key)

    def revoke_key(self, caller: Caller, key: KeyRights) -> None:
        """Checks that the caller may revoke the key; everyone may revoke their own."""
        if key.member != caller.scope.user or key.member is None:
            self._cover(GrantRule.REVOCATION, caller, key.standing)

    def token_groups(self, wanted: Set[str], of_key: Set[str]) -> frozenset[str]:
        """Returns the groups of a token: those that its key has, too."""
        return frozenset(wanted & of_key if GrantRule.TOKEN_GROUPS in self._rules else wanted)

    def token_permissions(self, caller: Caller, may: Set[str]) -> frozenset[str]:
        """Returns the extra permissions of a token; the caller must have all of them."""
        wanted = {each for each in PERSONAL if each.value in may}
        for each in wanted:
            require(caller, each)
        return frozenset(each.value for each in wanted)

    def of_token(self, key_scopes: Set[str] | None, may: Set[str]) -> frozenset[str]:
        """Returns the scopes of a token: those of a member without the denied ones, plus `may`, and
        at most those of its key."""
        denied = {each.value for each in self._denied[CredentialKind.TOKEN]} - may
        scopes = {each.value for each in PERSONAL} - denied
        return frozenset(scopes if key_scopes is None else scopes & key_scopes)

    def of_issuer(self, role: Role) -> frozenset[str]:
        """Returns the scopes of a user of an issuer."""
        allowed = permissions(role) - self._denied[CredentialKind.ISSUER]
        return frozenset(each.value for each in allowed)

    def name_issuer(self, caller: Caller) -> None:
        """Checks that the caller may add or remove an issuer."""
        self._cover(GrantRule.ISSUER, caller, Membership(Role.OWNER))

    def connect_model(self, caller: Caller) -> None:
        """Checks that the caller may choose a server that reads the messages of everybody."""
        if not self.may_connect_model(caller):
            require(caller, Permission.READ_OTHERS)

    def may_connect_model(self, caller: Caller) -> bool:
        """Returns whether the caller may choose such a server."""
        return caller.acts_for_others or allows(caller, Permission.READ_OTHERS)

    # People ----------------------------------------------------------------------------------

    def link(self, roles: Iterable[Role]) -> None:
        """Checks that accounts with these roles may be linked."""
        if GrantRule.LINK_ROLE in self._rules and any(role is not Role.MEMBER for role in roles):
            raise PermissionDenied("only accounts with the role member can be linked")

    def role_of(self, person: MemberProfile) -> Role:
        """Returns the role of a person; for a linked account the lesser of both."""
        if person.own is None or GrantRule.LINKED_ROLE not in self._rules:
            return person.role
        return lesser(person.role, person.own.role)

    def groups_of(self, person: MemberProfile) -> Set[str]:
        """Returns the groups of a person; for a linked account those that both sides have."""
        if person.own is None or GrantRule.LINKED_GROUPS not in self._rules:
            return person.groups
        return person.groups & person.own.groups

    def change_member(
        self, caller: Caller, target: Iterable[Membership], role: Role | None
    ) -> None:
        """Checks that the caller may change a member with these memberships, and grant the role."""
        for each in target:
            self._cover(GrantRule.MEMBER_TARGET, caller, each)
        if role is not None:
            self._cover(GrantRule.MEMBER_ROLE, caller, Membership(role))

    def invite(self, caller: Caller, role: Role, groups: Set[str]) -> None:
        """Checks that the caller may invite somebody with this role and these groups."""
        self._cover(GrantRule.MEMBER_ROLE, caller, Membership(role))
        self.give_groups(caller, groups)

    def give_groups(self, caller: Caller, added: Set[str]) -> None:
        """Checks that the caller may grant these groups."""
        if GrantRule.MEMBER_GROUPS in self._rules:
            _groups(caller, added)

    def erase(self, caller: Caller, target: Iterable[Membership]) -> None:
        """Checks that the caller may erase a member with these memberships."""
        for each in target:
            self._cover(GrantRule.ERASURE_TARGET, caller, each)

    def read_others(self, caller: Caller, permission: Permission, reason: str) -> None:
        """Checks that the caller may read data of others. Raises Invalid without a reason."""
        require(caller, permission)
        if GrantRule.READ_REASON in self._rules and not reason.strip():
            raise Invalid("a reason is required to read other users' data")

    # Documents -------------------------------------------------------------------------------

    def may_write(self, caller: Caller, collection: CollectionAccess) -> bool:
        """Returns whether the caller may add documents to a collection."""
        if collection.owner is not None:
            own = collection.owner == caller.scope.user
            return own or GrantRule.OWN_COLLECTION not in self._rules
        if not collection.audience or GrantRule.COLLECTION_AUDIENCE not in self._rules:
            return True
        managed = allows(caller, Permission.MANAGE_COLLECTIONS)
        return managed or bool(collection.audience & caller.groups)

    # ------------------------------------------------------------------------------------------

    def _cover(self, rule: GrantRule, caller: Caller, standing: Membership) -> None:
        granted = permissions(standing.role, standing.scopes)
        if rule in self._rules and not granted <= permissions(caller.role, caller.scopes):
            raise PermissionDenied("you cannot grant permissions you do not have")

    def _person(self, rule: GrantRule, caller: Caller, reason: str) -> None:
        if rule not in self._rules or caller.acts_for_others:
            return
        self.read_others(caller, Permission.READ_OTHERS, reason)


def lesser(one: Role, other: Role) -> Role:
    """Returns the role with fewer permissions; `member` if neither includes the other."""
    if ALLOWED[one] <= ALLOWED[other]:
        return one
    return other if ALLOWED[other] <= ALLOWED[one] else Role.MEMBER


def grantable_roles(caller: Caller) -> list[Role]:
    """Returns the roles whose permissions the caller has."""
    own = permissions(caller.role, caller.scopes)
    return [role for role in Role if ALLOWED[role] <= own]


def grantable_key_roles(caller: Caller) -> list[Role]:
    """Returns the roles that the caller may grant to keys. A minter's key acts for anyone, so it
    needs what KEY_FOR_ANYONE asks for."""
    anyone = caller.acts_for_others or allows(caller, Permission.READ_OTHERS)
    return [role for role in grantable_roles(caller) if anyone or role in OF_PEOPLE]


def _groups(caller: Caller, wanted: Set[str]) -> None:
    """Checks that the caller has the groups, or manages members and collections."""
    managed = allows(caller, Permission.MANAGE_MEMBERS) and allows(
        caller, Permission.MANAGE_COLLECTIONS
    )
    if not managed and not wanted <= caller.groups:
        raise PermissionDenied("you cannot grant permissions you do not have")


GRANTS = Grants()

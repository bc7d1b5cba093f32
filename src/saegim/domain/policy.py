"""Roles and permissions; everything that is not allowed is denied."""

from collections.abc import Mapping, Set
from enum import StrEnum

from saegim.domain.errors import PermissionDenied
from saegim.domain.scope import Caller, CredentialKind, Role
from saegim.domain.tenancy import Assistant


class Permission(StrEnum):
    """A permission of a credential; the scopes of a key are a subset."""

    CHAT = "chat"
    """Chat, and read, stream and cancel own turns and sessions."""
    INSTRUCT = "chat:instructions"
    """Send own instructions to the assistant with a message."""
    OWN_DATA = "self"
    """Read and correct own data, and export the current profile."""
    LINK_IDENTITIES = "self:link"
    """Link and unlink own accounts on several channels."""
    EXPORT_SELF = "self:export"
    """Export all own profiles."""
    ERASE_SELF = "self:erase"
    """Request erasure of own data."""
    READ_LIBRARY = "library:read"
    """Search and read documents of collections that the caller's groups may read."""
    ATTACH = "library:own"
    """Add and delete own private documents, such as attachments."""
    EDIT_LIBRARY = "library:write"
    """Add and delete documents of collections; includes `library:own`."""
    EDIT_ASSISTANTS = "assistants:draft"
    """Read versions of assistants and write drafts."""
    PUBLISH_ASSISTANTS = "assistants:publish"
    """Publish a draft, or an earlier version."""
    MINT_TOKENS = "tokens"
    """Mint short-lived tokens for end users."""
    MANAGE_COLLECTIONS = "collections"
    """Create collections and set their audiences."""
    MANAGE_MEMBERS = "members"
    """List members, change their roles and groups, disable them."""
    MANAGE_KEYS = "keys"
    """Create, rotate and revoke keys; list issuers."""
    MANAGE_WEBHOOKS = "webhooks"
    """Manage webhooks."""
    MANAGE_MODELS = "models"
    """Connect models with own keys, test them and assign them to roles."""
    SERVE_GUILDS = "guilds"
    """Serve guilds of a chat channel: settings, activity and notices."""
    MANAGE_LIMITS = "limits"
    """Change limits and retention of the tenant; replay failed jobs."""
    READ_USAGE = "usage"
    """Read usage and cost."""
    READ_AUDIT = "audit"
    """Read and verify the audit trail."""
    READ_OTHERS = "others:read"
    """Read data of other members, with a reason that is audited."""
    ERASE_OTHERS = "others:erase"
    """Erase or export data of other members, with a reason."""
    MANAGE_TENANT = "tenant"
    """Manage issuers; export, import or delete the tenant."""


PERSONAL = frozenset(
    {
        Permission.CHAT,
        Permission.INSTRUCT,
        Permission.OWN_DATA,
        Permission.LINK_IDENTITIES,
        Permission.EXPORT_SELF,
        Permission.ERASE_SELF,
        Permission.READ_LIBRARY,
        Permission.ATTACH,
    }
)
_EDITOR = PERSONAL | {Permission.EDIT_LIBRARY, Permission.EDIT_ASSISTANTS}
_ADMIN = _EDITOR | {
    Permission.PUBLISH_ASSISTANTS,
    Permission.MINT_TOKENS,
    Permission.MANAGE_COLLECTIONS,
    Permission.MANAGE_MEMBERS,
    Permission.MANAGE_KEYS,
    Permission.MANAGE_WEBHOOKS,
    Permission.MANAGE_MODELS,
    Permission.SERVE_GUILDS,
    Permission.MANAGE_LIMITS,
    Permission.READ_USAGE,
    Permission.READ_AUDIT,
    Permission.ERASE_OTHERS,
}
_AUDITOR = frozenset(
    {
        Permission.OWN_DATA,
        Permission.EXPORT_SELF,
        Permission.ERASE_SELF,
        Permission.READ_USAGE,
        Permission.READ_AUDIT,
        Permission.READ_OTHERS,
    }
)

ALLOWED: Mapping[Role, Set[Permission]] = {
    Role.OWNER: frozenset(Permission),
    Role.ADMIN: _ADMIN,
    Role.EDITOR: _EDITOR,
    Role.MEMBER: PERSONAL,
    Role.AUDITOR: _AUDITOR,
    Role.MINTER: frozenset({Permission.MINT_TOKENS}),
}
# The roles that a person can have.
OF_PEOPLE = tuple(role for role in Role if role is not Role.MINTER)


def permissions(role: Role, scopes: Set[str] | None = None) -> frozenset[Permission]:
    """Returns the permissions of a role, restricted to the scopes of a key."""
    of_role = ALLOWED[role]
    if scopes is None:
        return frozenset(of_role)
    allowed = frozenset(each for each in of_role if each.value in scopes)
    return allowed | {Permission.ATTACH} if Permission.EDIT_LIBRARY in allowed else allowed


def allows(caller: Caller, permission: Permission) -> bool:
    """Returns whether the caller has the permission."""
    return permission in permissions(caller.role, caller.scopes)


def require(caller: Caller, permission: Permission) -> None:
    """Raises PermissionDenied unless the caller has the permission."""
    if not allows(caller, permission):
        raise PermissionDenied(f"needs the permission {permission.value}")


def may_talk_to(caller: Caller, assistant: Assistant) -> bool:
    """Returns whether the caller may use the assistant: that of its credential or, unless it has a
    token, one that is offered to its groups."""
    if assistant.id == (caller.own_assistant or caller.assistant):
        return True
    if caller.credential is CredentialKind.TOKEN or assistant.offered_to is None:
        return False
    return not assistant.offered_to or bool(assistant.offered_to & caller.groups)

"""Every decision about who may do what stands here. What is not allowed is refused."""

from collections.abc import Mapping, Set
from enum import StrEnum

from saegim.domain.errors import PermissionDenied
from saegim.domain.scope import Caller, CredentialKind, Role
from saegim.domain.tenancy import Assistant


class Permission(StrEnum):
    """One thing a credential may do. A key's scopes are some of these."""

    CHAT = "chat"
    """Speak, and read, follow and stop one's own turns and sessions."""
    INSTRUCT = "chat:instructions"
    """Give the assistant instructions of the client's own with a message."""
    OWN_DATA = "self"
    """See and correct what is kept of oneself, and export one's profile."""
    LINK_IDENTITIES = "self:link"
    """Link one's names on several channels, and unlink them."""
    EXPORT_SELF = "self:export"
    """Export all of one's profiles at once."""
    ERASE_SELF = "self:erase"
    """Have everything that is kept of oneself erased."""
    READ_LIBRARY = "library:read"
    """Search and open documents, within what the caller's groups may read."""
    EDIT_LIBRARY = "library:write"
    """Bring documents in and remove them."""
    EDIT_ASSISTANTS = "assistants:draft"
    """Read assistants' versions and write drafts."""
    PUBLISH_ASSISTANTS = "assistants:publish"
    """Publish a draft, roll back to an earlier version."""
    MINT_TOKENS = "tokens"
    """Make short-lived tokens for end users."""
    MANAGE_COLLECTIONS = "collections"
    """Make collections and say who may read them."""
    MANAGE_MEMBERS = "members"
    """List members, change their roles and groups, disable them."""
    MANAGE_KEYS = "keys"
    """Make, rotate and revoke keys; list the issuers of the tenant's own users."""
    MANAGE_WEBHOOKS = "webhooks"
    """Say where the tenant is told what happened."""
    SERVE_GUILDS = "guilds"
    """Be a community's door: its settings, what it counts, what it is told."""
    MANAGE_LIMITS = "limits"
    """Change the tenant's limits and retention; have failed work tried again."""
    READ_USAGE = "usage"
    """See what was used and what it cost."""
    READ_AUDIT = "audit"
    """Read and verify the audit trail."""
    READ_OTHERS = "others:read"
    """Read another person's data, with a reason; each time is an audit event."""
    ERASE_OTHERS = "others:erase"
    """Erase or export another person's data, with a reason."""
    MANAGE_TENANT = "tenant"
    """Name the issuers of the tenant's own users; export, import or end the whole tenant."""


PERSONAL = frozenset(
    {
        Permission.CHAT,
        Permission.INSTRUCT,
        Permission.OWN_DATA,
        Permission.LINK_IDENTITIES,
        Permission.EXPORT_SELF,
        Permission.ERASE_SELF,
        Permission.READ_LIBRARY,
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
}


def permissions(role: Role, scopes: Set[str] | None = None) -> frozenset[Permission]:
    """What a role may do, narrowed by a key's scopes; a scope never adds anything."""
    of_role = ALLOWED[role]
    if scopes is None:
        return frozenset(of_role)
    return frozenset(each for each in of_role if each.value in scopes)


def allows(caller: Caller, permission: Permission) -> bool:
    """Whether the caller's credential lets it do this."""
    return permission in permissions(caller.role, caller.scopes)


def require(caller: Caller, permission: Permission) -> None:
    """Raises Forbidden unless the caller may do this."""
    if not allows(caller, permission):
        raise PermissionDenied(f"needs the permission {permission.value}")


def may_talk_to(caller: Caller, assistant: Assistant) -> bool:
    """Whether the caller may have this assistant answer: the one of its credential, or one that is
    offered to its groups. A token is for one assistant alone."""
    if assistant.id == (caller.own_assistant or caller.assistant):
        return True
    if caller.credential is CredentialKind.TOKEN or assistant.offered_to is None:
        return False
    return not assistant.offered_to or bool(assistant.offered_to & caller.groups)

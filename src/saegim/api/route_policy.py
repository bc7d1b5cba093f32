"""The permission that each route requires. Routes that are not listed are refused."""

from dataclasses import dataclass

from saegim.domain.errors import PermissionDenied
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller

# Routes without authentication; they return no tenant data.
PUBLIC = frozenset({("GET", "/health/live"), ("GET", "/health/ready"), ("GET", "/metrics")})

NEEDED: dict[tuple[str, str], Permission] = {
    ("GET", "/v1/me"): Permission.OWN_DATA,
    ("POST", "/v1/chat"): Permission.CHAT,
    ("POST", "/v1/chat/completions"): Permission.CHAT,
    ("GET", "/v1/models"): Permission.CHAT,
    ("GET", "/v1/models/{assistant_id}"): Permission.CHAT,
    ("GET", "/v1/turns/{turn_id}"): Permission.CHAT,
    ("GET", "/v1/turns/{turn_id}/events"): Permission.CHAT,
    ("POST", "/v1/turns/{turn_id}/cancel"): Permission.CHAT,
    ("POST", "/v1/turns/{turn_id}/regenerate"): Permission.CHAT,
    ("POST", "/v1/turns/{turn_id}/continue"): Permission.CHAT,
    ("PUT", "/v1/turns/{turn_id}/feedback"): Permission.CHAT,
    ("GET", "/v1/turns/{turn_id}/trace"): Permission.CHAT,
    ("GET", "/v1/sessions"): Permission.CHAT,
    ("POST", "/v1/preview"): Permission.CHAT,
    ("GET", "/v1/sessions/{session_id}/turns"): Permission.CHAT,
    ("GET", "/v1/sessions/{session_id}/context"): Permission.CHAT,
    ("POST", "/v1/sessions/{session_id}/eval"): Permission.CHAT,
    ("POST", "/v1/search"): Permission.READ_LIBRARY,
    ("GET", "/v1/passages/{passage_id}/section"): Permission.READ_LIBRARY,
    ("GET", "/v1/documents"): Permission.READ_LIBRARY,
    ("GET", "/v1/documents/{document_id}"): Permission.READ_LIBRARY,
    ("DELETE", "/v1/documents/{document_id}"): Permission.EDIT_LIBRARY,
    ("POST", "/v1/ingests"): Permission.EDIT_LIBRARY,
    ("PUT", "/v1/ingests/{ingest_id}/files/{name}"): Permission.EDIT_LIBRARY,
    ("GET", "/v1/ingests/{ingest_id}"): Permission.EDIT_LIBRARY,
    ("POST", "/v1/ingests/{ingest_id}/cancel"): Permission.EDIT_LIBRARY,
    ("GET", "/v1/turns/{turn_id}/memories"): Permission.OWN_DATA,
    ("DELETE", "/v1/turns/{turn_id}/memories"): Permission.OWN_DATA,
    ("DELETE", "/v1/sessions/{session_id}"): Permission.OWN_DATA,
    ("GET", "/v1/consent"): Permission.OWN_DATA,
    ("PUT", "/v1/consent"): Permission.OWN_DATA,
    ("PUT", "/v1/consent/tenant"): Permission.MANAGE_LIMITS,
    ("GET", "/v1/memories"): Permission.OWN_DATA,
    ("POST", "/v1/memories"): Permission.OWN_DATA,
    ("GET", "/v1/memories/timeline"): Permission.OWN_DATA,
    ("GET", "/v1/memories/export"): Permission.OWN_DATA,
    ("POST", "/v1/memories/import"): Permission.OWN_DATA,
    ("POST", "/v1/memories/consolidate"): Permission.OWN_DATA,
    ("PUT", "/v1/memories/{memory_id}/retention"): Permission.OWN_DATA,
    ("GET", "/v1/memories/{memory_id}/sources"): Permission.OWN_DATA,
    ("GET", "/v1/memories/imports/{import_id}"): Permission.OWN_DATA,
    ("GET", "/v1/memories/{memory_id}"): Permission.OWN_DATA,
    ("PATCH", "/v1/memories/{memory_id}"): Permission.OWN_DATA,
    ("PUT", "/v1/memories/{memory_id}/pin"): Permission.OWN_DATA,
    ("DELETE", "/v1/memories/{memory_id}"): Permission.OWN_DATA,
    ("POST", "/v1/memories/{memory_id}/undo"): Permission.OWN_DATA,
    ("GET", "/v1/memories/{memory_id}/versions"): Permission.OWN_DATA,
    ("POST", "/v1/memories/{memory_id}/rollback"): Permission.OWN_DATA,
    ("GET", "/v1/memories/{memory_id}/trail"): Permission.OWN_DATA,
    ("POST", "/v1/recall"): Permission.OWN_DATA,
    ("GET", "/v1/ranking"): Permission.MANAGE_COLLECTIONS,
    ("PUT", "/v1/ranking"): Permission.MANAGE_COLLECTIONS,
    ("POST", "/v1/sources"): Permission.EDIT_LIBRARY,
    ("GET", "/v1/sources"): Permission.EDIT_LIBRARY,
    ("GET", "/v1/sources/{source_id}"): Permission.EDIT_LIBRARY,
    ("POST", "/v1/sources/{source_id}/sync"): Permission.EDIT_LIBRARY,
    ("DELETE", "/v1/sources/{source_id}"): Permission.EDIT_LIBRARY,
    ("GET", "/v1/keys"): Permission.MANAGE_KEYS,
    ("POST", "/v1/keys"): Permission.MANAGE_KEYS,
    ("POST", "/v1/keys/{key_id}/rotate"): Permission.MANAGE_KEYS,
    ("DELETE", "/v1/keys/{key_id}"): Permission.MANAGE_KEYS,
    ("POST", "/v1/tokens"): Permission.MINT_TOKENS,
    ("GET", "/v1/members"): Permission.MANAGE_MEMBERS,
    ("PATCH", "/v1/members/{member_id}"): Permission.MANAGE_MEMBERS,
    ("GET", "/v1/identities"): Permission.LINK_IDENTITIES,
    ("POST", "/v1/identities"): Permission.LINK_IDENTITIES,
    ("POST", "/v1/identities/codes"): Permission.LINK_IDENTITIES,
    ("DELETE", "/v1/identities/{identity_id}"): Permission.LINK_IDENTITIES,
    ("GET", "/v1/issuers"): Permission.MANAGE_KEYS,
    ("PUT", "/v1/issuers"): Permission.MANAGE_TENANT,
    ("DELETE", "/v1/issuers/{issuer_id}"): Permission.MANAGE_TENANT,
    ("GET", "/v1/assistants/available"): Permission.CHAT,
    ("GET", "/v1/assistants"): Permission.EDIT_ASSISTANTS,
    ("POST", "/v1/assistants"): Permission.PUBLISH_ASSISTANTS,
    ("GET", "/v1/assistants/{assistant_id}/versions"): Permission.EDIT_ASSISTANTS,
    ("PUT", "/v1/assistants/{assistant_id}/draft"): Permission.EDIT_ASSISTANTS,
    ("POST", "/v1/assistants/{assistant_id}/publish"): Permission.PUBLISH_ASSISTANTS,
    ("POST", "/v1/assistants/{assistant_id}/rollback"): Permission.PUBLISH_ASSISTANTS,
    ("GET", "/v1/assistant/config"): Permission.EDIT_ASSISTANTS,
    ("PUT", "/v1/assistant/config"): Permission.PUBLISH_ASSISTANTS,
    ("GET", "/v1/assistant/unanswered"): Permission.EDIT_ASSISTANTS,
    ("GET", "/v1/webhooks"): Permission.MANAGE_WEBHOOKS,
    ("POST", "/v1/webhooks"): Permission.MANAGE_WEBHOOKS,
    ("DELETE", "/v1/webhooks/{webhook_id}"): Permission.MANAGE_WEBHOOKS,
    ("POST", "/v1/webhooks/{webhook_id}/ping"): Permission.MANAGE_WEBHOOKS,
    ("GET", "/v1/webhooks/{webhook_id}/deliveries"): Permission.MANAGE_WEBHOOKS,
    ("POST", "/v1/turns/{turn_id}/hand-off"): Permission.CHAT,
    ("GET", "/v1/guild"): Permission.SERVE_GUILDS,
    ("PATCH", "/v1/guild"): Permission.SERVE_GUILDS,
    ("PUT", "/v1/guild/voice"): Permission.SERVE_GUILDS,
    ("GET", "/v1/guild/channel-settings"): Permission.SERVE_GUILDS,
    ("POST", "/v1/guild/activity"): Permission.SERVE_GUILDS,
    ("GET", "/v1/guild/ranking"): Permission.SERVE_GUILDS,
    ("GET", "/v1/guild/notices"): Permission.SERVE_GUILDS,
    ("POST", "/v1/guild/notices"): Permission.SERVE_GUILDS,
    ("POST", "/v1/guild/notices/due"): Permission.SERVE_GUILDS,
    ("DELETE", "/v1/guild/notices/{notice_id}"): Permission.SERVE_GUILDS,
    ("GET", "/v1/profiles"): Permission.OWN_DATA,
    ("GET", "/v1/usage"): Permission.READ_USAGE,
    ("GET", "/v1/usage/escalation"): Permission.READ_USAGE,
    ("GET", "/v1/usage/shares"): Permission.READ_USAGE,
    ("GET", "/v1/jobs"): Permission.READ_USAGE,
    ("POST", "/v1/jobs/{job_id}/replay"): Permission.MANAGE_LIMITS,
    ("GET", "/v1/limits"): Permission.MANAGE_LIMITS,
    ("PUT", "/v1/limits"): Permission.MANAGE_LIMITS,
    ("POST", "/v1/erasures"): Permission.OWN_DATA,
    ("GET", "/v1/erasures"): Permission.OWN_DATA,
    ("GET", "/v1/erasures/{erasure_id}"): Permission.OWN_DATA,
    ("DELETE", "/v1/erasures/{erasure_id}"): Permission.OWN_DATA,
    ("GET", "/v1/erasures/public-key"): Permission.OWN_DATA,
    ("GET", "/v1/export"): Permission.OWN_DATA,
    ("GET", "/v1/members/{member_id}/export"): Permission.READ_OTHERS,
    ("GET", "/v1/audit"): Permission.READ_AUDIT,
    ("POST", "/v1/audit/verify"): Permission.READ_AUDIT,
    ("GET", "/v1/collections"): Permission.MANAGE_COLLECTIONS,
    ("POST", "/v1/collections"): Permission.MANAGE_COLLECTIONS,
    ("GET", "/v1/collections/{collection_id}"): Permission.MANAGE_COLLECTIONS,
    ("PATCH", "/v1/collections/{collection_id}"): Permission.MANAGE_COLLECTIONS,
}


@dataclass(frozen=True, slots=True)
class PolicyRoute:
    """Method and path, without path converters."""

    method: str
    path: str

    @classmethod
    def of(cls, method: str, path: str) -> "PolicyRoute":
        return cls(method, path.replace(":path}", "}"))


def check(caller: Caller, route: PolicyRoute) -> None:
    """Raises PermissionDenied unless the caller has the permission of the route."""
    needed = NEEDED.get((route.method, route.path))
    if needed is None:
        raise PermissionDenied("this route has no policy")
    require(caller, needed)

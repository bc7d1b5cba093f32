"""The permission of each page. A page that is not listed is refused."""

from saegim.domain.errors import PermissionDenied
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller

# Pages without sign-in; they contain no data of tenants.
OPEN = frozenset(
    {
        ("GET", "/"),
        ("GET", "/sign-in"),
        ("POST", "/sign-in"),
        ("GET", "/sign-in/once"),
        ("GET", "/sign-in/with/{tenant_id}"),
        ("GET", "/sign-in/back"),
        ("GET", "/language/{code}"),
        ("GET", "/static/{version}/{name:path}"),
        ("GET", "/widget.js"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("GET", "/redoc"),
    }
)

NEEDED: dict[tuple[str, str], Permission] = {
    ("POST", "/sign-out"): Permission.OWN_DATA,
    ("POST", "/sign-out/everywhere"): Permission.OWN_DATA,
    ("POST", "/profile"): Permission.OWN_DATA,
    ("POST", "/assistant"): Permission.CHAT,
    ("GET", "/chat"): Permission.CHAT,
    ("GET", "/chat/{session_id}"): Permission.CHAT,
    ("GET", "/conversations"): Permission.CHAT,
    ("GET", "/memory"): Permission.OWN_DATA,
    ("POST", "/memory"): Permission.OWN_DATA,
    ("POST", "/memory/consent"): Permission.OWN_DATA,
    ("GET", "/memory/{memory_id}"): Permission.OWN_DATA,
    ("GET", "/memory/{memory_id}/edit"): Permission.OWN_DATA,
    ("POST", "/memory/{memory_id}"): Permission.OWN_DATA,
    ("POST", "/memory/{memory_id}/pin"): Permission.OWN_DATA,
    ("POST", "/memory/{memory_id}/forget"): Permission.OWN_DATA,
    ("POST", "/memory/{memory_id}/undo"): Permission.OWN_DATA,
    ("GET", "/memory/{memory_id}/history"): Permission.OWN_DATA,
    ("POST", "/memory/{memory_id}/rollback"): Permission.OWN_DATA,
    ("POST", "/erasure"): Permission.ERASE_SELF,
    ("POST", "/erasure/{erasure_id}/cancel"): Permission.ERASE_SELF,
    ("GET", "/library"): Permission.READ_LIBRARY,
    ("GET", "/library/search"): Permission.READ_LIBRARY,
    ("GET", "/library/document"): Permission.READ_LIBRARY,
    ("POST", "/library/remove"): Permission.EDIT_LIBRARY,
    ("POST", "/library/collections"): Permission.MANAGE_COLLECTIONS,
    ("GET", "/usage"): Permission.READ_USAGE,
    ("POST", "/usage/questions"): Permission.EDIT_ASSISTANTS,
    ("POST", "/usage/jobs/{job_id}/replay"): Permission.MANAGE_LIMITS,
    ("GET", "/evaluation"): Permission.READ_USAGE,
    ("GET", "/admin"): Permission.MANAGE_KEYS,
    ("GET", "/admin/keys"): Permission.MANAGE_KEYS,
    ("GET", "/admin/erasures"): Permission.ERASE_OTHERS,
    ("POST", "/admin/erasures/{erasure_id}/cancel"): Permission.ERASE_OTHERS,
    ("POST", "/admin/keys"): Permission.MANAGE_KEYS,
    ("POST", "/admin/keys/{key_id}/revoke"): Permission.MANAGE_KEYS,
    ("POST", "/admin/members/{member_id}"): Permission.MANAGE_MEMBERS,
    ("POST", "/admin/assistants"): Permission.PUBLISH_ASSISTANTS,
    ("POST", "/admin/assistants/{assistant_id}/offer"): Permission.PUBLISH_ASSISTANTS,
    ("POST", "/admin/assistants/{assistant_id}/publish"): Permission.PUBLISH_ASSISTANTS,
    ("POST", "/admin/assistant"): Permission.PUBLISH_ASSISTANTS,
    ("POST", "/admin/audit/verify"): Permission.READ_AUDIT,
}


def check(caller: Caller, method: str, path: str) -> None:
    """Raise PermissionDenied unless the caller may see the page."""
    needed = NEEDED.get(("GET" if method == "HEAD" else method, path))
    if needed is None:
        raise PermissionDenied("this page has no policy")
    require(caller, needed)

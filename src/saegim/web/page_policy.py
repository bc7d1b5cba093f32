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
        ("GET", "/invitation"),
        ("POST", "/invitation"),
        ("GET", "/set-up"),
        ("POST", "/set-up"),
        ("GET", "/reset"),
        ("POST", "/reset"),
        ("GET", "/sign-in/with/{tenant_id}"),
        ("GET", "/sign-in/back"),
        ("GET", "/language/{code}"),
        ("GET", "/static/{version}/{name:path}"),
        ("GET", "/widget.js"),
        ("GET", "/manifest.webmanifest"),
        ("GET", "/service-worker.js"),
        ("GET", "/offline"),
        ("GET", "/favicon.ico"),
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
    ("GET", "/chat/{path:path}"): Permission.CHAT,
    ("GET", "/shared/{share_id}"): Permission.CHAT,
    ("GET", "/settings"): Permission.OWN_DATA,
    ("GET", "/settings/{path:path}"): Permission.OWN_DATA,
    ("GET", "/welcome"): Permission.MANAGE_KEYS,
    ("GET", "/admin"): Permission.OWN_DATA,
    ("GET", "/usage"): Permission.OWN_DATA,
    ("GET", "/memory"): Permission.OWN_DATA,
    ("GET", "/memory/{memory_id}"): Permission.OWN_DATA,
    ("GET", "/library"): Permission.READ_LIBRARY,
    ("GET", "/library/document"): Permission.READ_LIBRARY,
    ("GET", "/library/{path:path}"): Permission.READ_LIBRARY,
    ("GET", "/evaluation"): Permission.OWN_DATA,
}


def check(caller: Caller, method: str, path: str) -> None:
    """Raise PermissionDenied unless the caller may see the page."""
    needed = NEEDED.get(("GET" if method == "HEAD" else method, path))
    if needed is None:
        raise PermissionDenied("this page has no policy")
    require(caller, needed)

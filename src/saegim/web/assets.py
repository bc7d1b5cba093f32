"""Scripts, styles and icons, compressed at startup and cached by browsers.

Their URL contains a hash of all files, so that a browser never mixes two releases."""

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fastapi import APIRouter, Request
from fastapi.responses import Response

from saegim.domain.errors import NotFound
from saegim.locales import catalogue

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".LICENSE": "text/plain; charset=utf-8",
}
IMMUTABLE = "public, max-age=31536000, immutable"
# Pages of other products load these files.
SHARED = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Asset:
    """A file, plain and compressed."""

    kind: str
    plain: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class Assets:
    """All files of the pages and their hash."""

    version: str
    files: dict[str, Asset]
    icons: dict[str, str]

    def url(self, name: str) -> str:
        assert name in self.files, f"no such file: {name}"
        return f"/static/{self.version}/{name}"


def load(folder: Path = FOLDER) -> Assets:
    """Read and compress every file of the folder, and the Korean texts of the scripts."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS]
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    contents["korean.js"] = _korean()
    files: dict[str, Asset] = {}
    digest = hashlib.sha256()
    for name, plain in contents.items():
        digest.update(name.encode() + b"\0" + plain)
        kind = KINDS[PurePosixPath(name).suffix]
        files[name] = Asset(kind, plain, gzip.compress(plain, 9, mtime=0))
    icons: dict[str, str] = json.loads(files["icons.json"].plain)
    return Assets(digest.hexdigest()[:12], files, icons)


def _korean() -> bytes:
    """Return the module with the Korean texts that scripts use."""
    texts = json.dumps(catalogue("ko", ".js"), ensure_ascii=False, indent=1)
    return f"export default {texts};\n".encode()


@router.get("/static/{version}/{name:path}")
async def read_asset(version: str, name: str, request: Request) -> Response:
    """Return a file; one of another release may not be cached."""
    assets: Assets = request.app.state.assets
    asset = assets.files.get(name)
    if asset is None:
        raise NotFound(name[:100])
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    headers = SHARED | {
        "Cache-Control": IMMUTABLE if version == assets.version else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if compressed:
        headers["Content-Encoding"] = "gzip"
    body = asset.packed if compressed else asset.plain
    return Response(body, headers=headers, media_type=asset.kind)


@router.get("/widget.js")
async def read_widget(request: Request) -> Response:
    """Return the widget of this release, at a URL that does not change."""
    assets: Assets = request.app.state.assets
    script = assets.files["widget.js"]
    body = script.plain.replace(b"__BASE__", f"/static/{assets.version}/".encode())
    headers = SHARED | {"Cache-Control": "public, max-age=300"}
    return Response(body, headers=headers, media_type=script.kind)

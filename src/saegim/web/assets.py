"""Scripts, styles and icons, compressed at startup and cached by browsers.

Their URL contains a hash of all files, so that a browser never mixes two releases."""

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from saegim.domain.errors import NotFound

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".LICENSE": "text/plain; charset=utf-8",
}
MANIFEST = "app/manifest.json"
WIDGET = "widget/widget.js"
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
class EntryPoint:
    """A built script with the modules and styles that it loads at once."""

    script: str
    modules: tuple[str, ...]
    styles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assets:
    """All files of the pages and their hash."""

    version: str
    files: dict[str, Asset]
    entries: dict[str, EntryPoint]
    widget: Asset | None

    def url(self, name: str) -> str:
        assert name in self.files, f"no such file: {name}"
        return f"/static/{self.version}/{name}"

    def entry(self, name: str) -> EntryPoint:
        """Return a script of the front end. Raises NotFound if it was not built."""
        found = self.entries.get(name)
        if found is None:
            raise NotFound("the pages are not built: run `make web`")
        return found

    def application(self, page: str, language: str) -> EntryPoint:
        """Return the application with what one of its pages loads next, so that it is loaded at
        once."""
        app = self.entry("app")
        names = [f"{page.capitalize()}Page"]
        if language == "ko":
            names += ["shared", page]
        parts = [app, *(self.entries[name] for name in names if name in self.entries)]
        modules = dict.fromkeys(
            name for part in parts for name in (part.script, *part.modules) if name != app.script
        )
        styles = dict.fromkeys(name for part in parts for name in part.styles)
        return EntryPoint(app.script, tuple(modules), tuple(styles))


def load(folder: Path = FOLDER) -> Assets:
    """Read and compress every file of the folder."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS]
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    files: dict[str, Asset] = {}
    digest = hashlib.sha256()
    for name, plain in contents.items():
        digest.update(name.encode() + b"\0" + plain)
        kind = KINDS[PurePosixPath(name).suffix]
        files[name] = Asset(kind, plain, gzip.compress(plain, 9, mtime=0))
    manifest = files.get(MANIFEST)
    entries = _entries(json.loads(manifest.plain)) if manifest else {}
    version = digest.hexdigest()[:12]
    return Assets(version, files, entries, _widget(files, version))


def _widget(files: dict[str, Asset], version: str) -> Asset | None:
    """Return the script of the widget, which knows where the files of its release are."""
    built = files.get(WIDGET)
    if built is None:
        return None
    plain = built.plain.replace(b"__BASE__", f"/static/{version}/".encode())
    return Asset(built.kind, plain, gzip.compress(plain, 9, mtime=0))


def _entries(manifest: dict[str, Any]) -> dict[str, EntryPoint]:
    """Read the manifest of the build: the entries and what they load later, by name, each with all
    it imports at once."""
    entries: dict[str, EntryPoint] = {}
    for chunk in manifest.values():
        if not (chunk.get("isEntry") or chunk.get("isDynamicEntry")):
            continue
        reached: dict[str, Any] = {}
        waiting = [chunk]
        while waiting:
            one = waiting.pop()
            reached[one["file"]] = one
            waiting += [
                manifest[name]
                for name in one.get("imports", ())
                if manifest[name]["file"] not in reached
            ]
        styles = dict.fromkeys(style for one in reached.values() for style in one.get("css", ()))
        modules = tuple(f"app/{name}" for name in reached if name != chunk["file"])
        entries[chunk["name"]] = EntryPoint(
            f"app/{chunk['file']}", modules, tuple(f"app/{name}" for name in styles)
        )
    return entries


@router.get("/static/{version}/{name:path}")
async def read_asset(version: str, name: str, request: Request) -> Response:
    """Return a file; one of another release may not be cached."""
    assets: Assets = request.app.state.assets
    asset = assets.files.get(name)
    if asset is None:
        raise NotFound(name[:100])
    caching = IMMUTABLE if version == assets.version else "no-cache"
    return _send(request, asset, caching)


@router.get("/widget.js")
async def read_widget(request: Request) -> Response:
    """Return the widget of this release, at a URL that does not change."""
    assets: Assets = request.app.state.assets
    if assets.widget is None:
        raise NotFound(detail="the widget is not built: run `make web`")
    return _send(request, assets.widget, "public, max-age=300")


def _send(request: Request, asset: Asset, caching: str) -> Response:
    headers = SHARED | {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    if compressed:
        headers["Content-Encoding"] = "gzip"
    body = asset.packed if compressed else asset.plain
    return Response(body, headers=headers, media_type=asset.kind)

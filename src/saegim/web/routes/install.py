"""What browsers need to install the application: manifest, service worker, icons."""

import json

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from saegim.locales import translate
from saegim.web.assets import Assets
from saegim.web.auth import language_of
from saegim.web.rendering import render

router = APIRouter()

SERVICE_WORKER = "service-worker.js"
# The paper of both themes in `tokens.css`.
PAPER = {"light": "#fbfaf8", "dark": "#131417"}
OFFLINE = "/offline"


@router.get("/manifest.webmanifest")
async def read_manifest(request: Request) -> Response:
    """Return name, icons and start page of the installed application."""
    assets: Assets = request.app.state.assets
    language = language_of(request)

    def icon(name: str, size: int, purpose: str) -> dict[str, str]:
        url = assets.url(f"icons/{name}-{size}.png")
        return {"src": url, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

    manifest = {
        "id": "/",
        "name": translate("Saegim", language),
        "short_name": translate("Saegim", language),
        "description": translate("A copilot that remembers", language),
        "lang": language,
        "start_url": "/chat",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER["light"],
        "theme_color": PAPER["light"],
        "icons": [
            icon("icon", 192, "any"),
            icon("icon", 512, "any"),
            icon("maskable", 512, "maskable"),
        ],
        "shortcuts": [
            {"name": translate("New chat", language), "url": "/chat"},
            {"name": translate("Memory", language), "url": "/memory"},
        ],
    }
    body = json.dumps(manifest, ensure_ascii=False)
    return Response(body, media_type="application/manifest+json")


@router.get("/service-worker.js")
async def read_service_worker(request: Request) -> Response:
    """Return the service worker of this release."""
    assets: Assets = request.app.state.assets
    plain = assets.entries.get("plain")
    built = (*plain.styles, *plain.modules, plain.script) if plain else ()
    names = ("seal.svg", "theme.js", *built)
    files = json.dumps([OFFLINE, *(assets.url(name) for name in names)])
    script = assets.files[SERVICE_WORKER]
    body = script.plain.replace(b"__VERSION__", assets.version.encode())
    body = body.replace(b"__FILES__", files.encode())
    return Response(body, headers={"Cache-Control": "no-cache"}, media_type=script.kind)


@router.get("/offline")
async def show_offline(request: Request) -> HTMLResponse:
    """Show the page that the service worker keeps for when the server cannot be reached."""
    return render(request, "offline.html")


@router.get("/favicon.ico")
async def read_favicon(request: Request) -> Response:
    """Return the icon for browsers that ask for it without a page."""
    assets: Assets = request.app.state.assets
    headers = {"Cache-Control": "public, max-age=86400"}
    icon = assets.files["icons/icon-32.png"]
    return Response(icon.plain, headers=headers, media_type=icon.kind)

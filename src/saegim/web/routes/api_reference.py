"""The page `/docs` with every operation of the API, and the usual URLs of its OpenAPI document."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from saegim.api.cookies import public_url
from saegim.web.api_reference import read
from saegim.web.rendering import render

router = APIRouter()

DOCUMENT = "/v1/openapi.json"


@router.get("/docs")
async def show_reference(request: Request) -> HTMLResponse:
    """Show the reference, which contains no data of tenants."""
    server = public_url(request) or str(request.base_url).rstrip("/")
    reference = read(request.app.state.openapi(), server)
    return render(request, "api_reference.html", api=reference, document=DOCUMENT)


@router.get("/openapi.json")
async def find_document() -> RedirectResponse:
    return RedirectResponse(DOCUMENT, 307)


@router.get("/redoc")
async def find_reference() -> RedirectResponse:
    return RedirectResponse("/docs", 307)

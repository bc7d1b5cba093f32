"""The application can be installed, and says so when the server cannot be reached."""

from typing import Any

import httpx2
import pytest

from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("CH3")

CONTROLLED = """async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
        await new Promise((go) => navigator.serviceWorker.addEventListener("controllerchange", go));
}"""
KEPT = """async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map((request) => new URL(request.url).pathname);
}"""


async def installed(signed_in: SignedIn, user: str) -> Any:
    page = await signed_in(user, "/settings", service_workers="allow")
    await page.evaluate(CONTROLLED)
    return page


async def test_chromium_can_install_the_application(signed_in: SignedIn) -> None:
    page = await installed(signed_in, "설치1")
    session = await page.context.new_cdp_session(page)
    manifest = await session.send("Page.getAppManifest")
    errors = await session.send("Page.getInstallabilityErrors")

    assert manifest["errors"] == []
    assert '"name": "새김"' in manifest["data"]
    # A window without a profile on disk installs nothing; that is all it may complain about.
    found = [one["errorId"] for one in errors["installabilityErrors"]]
    assert [one for one in found if one != "in-incognito"] == []
    assert page.errors == []


async def test_without_a_connection_a_page_says_so(signed_in: SignedIn, site: Site) -> None:
    page = await installed(signed_in, "설치2")
    await page.context.set_offline(True)
    await page.goto(f"{site.url}/settings/usage")
    await page.get_by_role("heading", name="오프라인입니다").wait_for()
    seal = page.locator(".brand img")
    assert await seal.evaluate("one => one.complete && one.naturalWidth > 0"), "files are kept too"
    await page.context.set_offline(False)
    await page.get_by_role("link", name="다시 시도").click()
    await page.locator("#app").wait_for(state="attached")
    assert page.url == f"{site.url}/settings/usage"


async def test_the_worker_keeps_static_files_only(signed_in: SignedIn, site: Site) -> None:
    page = await installed(signed_in, "설치3")
    await page.goto(f"{site.url}/settings/usage")
    await page.evaluate("fetch('/v1/me')")
    await page.reload()
    kept = await page.evaluate(KEPT)

    assert any(path.endswith("/app/app.js") for path in kept)
    other = [path for path in kept if not path.startswith("/static/")]
    assert other == ["/offline"]


async def test_icons_and_manifest_are_served_without_sign_in(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.url, timeout=180) as http:
        favicon = await http.get("/favicon.ico")
        english = await http.get("/manifest.webmanifest", headers={"Accept-Language": "en"})
        icons = [await http.get(one["src"]) for one in english.json()["icons"]]
    assert favicon.content.startswith(b"\x89PNG")
    assert english.json()["name"] == "Saegim"
    assert {icon.headers["content-type"] for icon in icons} == {"image/png"}

"""A browser for the tests of the pages; without one they are skipped, and say so."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from saegim.domain.scope import Role
from saegim.localservers.servers import LocalServers
from tests.conftest import copied
from tests.web.browser_fixture import PATIENCE, Site, staged
from tests.web.chromium import chromium

# Remembers each notice: a slow test may look when it is gone.
NOTICED = """
    window.noticed = [];
    new MutationObserver((changes) => {
        for (const change of changes) {
            if (change.target.id !== "notices") continue;
            for (const shown of change.addedNodes)
                noticed.push({ text: shown.textContent, bad: shown.matches(".bad") });
        }
    }).observe(document, { childList: true, subtree: true });
"""

SignedIn = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Any]:
    async with chromium() as launched:
        yield launched


@pytest.fixture(scope="session")
async def site(
    templates: LocalServers, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Site]:
    """One site for all web tests; each test has its own users."""
    index = tmp_path_factory.mktemp("index")
    with copied(templates, "web", index) as databases:
        async with staged(databases) as running:
            yield running


@pytest.fixture
async def signed_in(browser: Any, site: Site) -> AsyncIterator[SignedIn]:
    """Opens a page as a person: `await signed_in("하늘", "/memory")`."""
    contexts: list[Any] = []

    async def visit(
        user: str,
        path: str = "/chat",
        language: str = "ko",
        role: Role = Role.ADMIN,
        **options: Any,
    ) -> Any:
        # Requests that a service worker answers are hidden from tests.
        usual = {"reduced_motion": "reduce", "service_workers": "block"}
        locale = "ko-KR" if language == "ko" else "en-US"
        context = await browser.new_context(locale=locale, **usual | options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(NOTICED)
        await context.add_cookies(
            [{"name": "saegim", "value": await site.cookie(user, role), "url": site.url}]
        )
        page = await context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on(
            "console",
            lambda line: page.errors.append(line.text) if line.type == "error" else None,
        )
        await page.goto(site.url + path)
        return page

    yield visit
    for context in contexts:
        await context.close()

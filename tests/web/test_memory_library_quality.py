"""Accessibility and width of the memory and library pages."""

from typing import Any

import pytest

from benchmarks.web.accessibility import MEMORY_AND_LIBRARY
from tests.web.accessibility import findings
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("CH3")


@pytest.mark.parametrize(
    ("language", "theme", "width"),
    [
        ("ko", "light", 1440),
        ("en", "dark", 320),
        pytest.param("en", "dark", 1024, marks=pytest.mark.long),
        pytest.param("ko", "dark", 390, marks=pytest.mark.long),
    ],
)
async def test_no_findings_of_axe_and_no_scrolling_sideways(
    signed_in: SignedIn, site: Site, language: str, theme: str, width: int
) -> None:
    user = f"품질-{width}"
    memory = await site.remember(user, "땅콩 알레르기가 있다", "constraint", pinned=True)
    viewport = {"width": width, "height": 800}
    options: dict[str, Any] = {
        "color_scheme": theme,
        "viewport": viewport,
        "has_touch": width < 700,
    }
    page = await signed_in(user, "/memory", language, **options)
    found: dict[str, list[str]] = {}
    for path, shown in MEMORY_AND_LIBRARY.items():
        await page.goto(site.url + path)
        await page.locator(shown).first.wait_for()
        found[path] = await findings(page)
        sizes = "[document.scrollingElement, document.querySelector('main')]"
        wide = f"{sizes}.some((one) => one.scrollWidth > one.clientWidth)"
        assert not await page.evaluate(wide), path
    await page.goto(f"{site.url}/memory?id={memory}")
    opened = page.locator("section.opened")
    await opened.get_by_role("button", name="변경 이력" if language == "ko" else "history").click()
    await opened.locator("ol").wait_for()
    found["opened"] = await findings(page)

    assert found == {path: [] for path in found}
    assert page.errors == []

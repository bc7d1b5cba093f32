"""What axe-core finds on a page."""

from typing import Any

import pytest


async def findings(page: Any) -> list[str]:
    """Return every finding, of any severity."""
    axe = pytest.importorskip("axe_playwright_python.async_playwright")
    # A page reads the half megabyte of script once.
    loaded = await page.evaluate("'axe' in window")
    checker = axe.Axe("null") if loaded else axe.Axe()
    # Describing every element that is in order would take most of the time.
    found = await checker.run(page, options={"resultTypes": ["violations"]})
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for one in found.response["violations"]
        for node in one["nodes"][:3]
    ]

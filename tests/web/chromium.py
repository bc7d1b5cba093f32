"""A browser for tests; where none is installed they are skipped, and say so."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.web.browser_fixture import PATIENCE

# The headless shell has no windows to draw: it takes half the processor time.
CHROMIUM = (
    os.environ.get("SAEGIM_CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
# No process that draws in place of a graphics card: nobody sees the pages.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Any]:
    """Starts the browser."""
    if CHROMIUM is None:
        pytest.skip("no browser on this machine (apt-get install chromium-headless-shell)")
    playwright = pytest.importorskip(
        "playwright.async_api", reason="the pages' tests need the group `web` (make test-web)"
    )
    playwright.expect.set_options(timeout=PATIENCE)
    async with playwright.async_playwright() as started:
        launched = await started.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE
        )
        yield launched
        await launched.close()

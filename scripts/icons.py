"""Draw the PNG icons of the installed application from `seal.svg`, with Chromium."""

import asyncio
import os
import shutil
from pathlib import Path

from playwright.async_api import async_playwright

STATIC = Path(__file__).parents[1] / "src" / "saegim" / "web" / "static"
# Name, size in pixels, share of the seal, and ground. A maskable icon is cut to any shape.
ICONS = (
    ("icon-32.png", 32, 1.0, "transparent"),
    ("icon-192.png", 192, 1.0, "transparent"),
    ("icon-512.png", 512, 1.0, "transparent"),
    ("touch-180.png", 180, 0.86, "#fbfaf8"),
    ("maskable-512.png", 512, 0.9, "#b8402a"),
)


async def main() -> None:
    seal = (STATIC / "seal.svg").read_text("utf-8")
    (STATIC / "icons").mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        chromium = os.environ.get("SAEGIM_CHROMIUM") or shutil.which("chromium")
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, size, share, ground in ICONS:
            page = await browser.new_page(viewport={"width": size, "height": size})
            await page.set_content(
                f"<style>*{{margin:0}}body{{height:100vh;display:grid;place-items:center;"
                f"overflow:hidden;background:{ground}}}svg{{width:{share * 100}vw}}</style>{seal}"
            )
            await page.screenshot(path=STATIC / "icons" / name, omit_background=True)
            await page.close()
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())

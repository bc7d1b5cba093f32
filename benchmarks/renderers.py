"""Render answers in Chromium with the renderers of the pages and of the widget.

Each is built alone with its sanitizer. The page that uses them has no content security policy, so
whatever gets past a sanitizer runs and loads.
"""

import contextlib
import importlib
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.results import ROOT

BUILT = ROOT / "frontend" / "build"
BUILD = (sys.executable, "scripts/frontend.py", "npm", "run", "--silent", "build:renderer")
RENDERERS = ("renderer", "widget-renderer")
SITE = "http://filter.test"
# Elements and attributes of a rendering, and text outside links, code and formulas.
LOOK = """
window.look = (root) => {
  const attributes = [], tags = [], plain = [];
  for (const element of root.querySelectorAll("*")) {
    tags.push(element.localName);
    for (const attribute of element.attributes)
      attributes.push([element.localName, attribute.name, attribute.value]);
  }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement?.closest("a, code, .maths"))
      plain.push(walker.currentNode.data);
  return { attributes, tags, plain };
};
"""
RENDER = """
async ([texts, name, decorated]) => {
  const { render, loadExtrasOnDemand } = await import(`/${name}/renderer.js`);
  if (decorated) loadExtrasOnDemand();
  const places = texts.map((text) => {
    const place = document.createElement("div");
    place.append(render(text));
    return place;
  });
  document.body.replaceChildren(...places);
  if (decorated) await new Promise((resolve) => setTimeout(resolve, 1000));
  return places.map(look);
}
"""
# Without a sanitizer, in a document that runs nothing.
BARE = """
async (texts) => {
  const { Marked } = await import("/renderer/renderer.js");
  const marked = new Marked({ gfm: true, async: false });
  return texts.map((text) =>
    look(new DOMParser().parseFromString(marked.parse(text), "text/html").body));
}
"""


@dataclass
class Look:
    """The elements, attributes and texts of a rendering."""

    tags: list[str]
    attributes: list[tuple[str, str, str]]
    plain: list[str]


@dataclass
class Stage:
    """A page with the renderers, and every request that left it."""

    page: Any
    requests: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])

    async def render(
        self, texts: Sequence[str], renderer: str, decorated: bool = False
    ) -> list[Look]:
        """Show the texts with a renderer of the product; `decorated` colours code, sets maths."""
        shown = await self.page.evaluate(RENDER, [list(texts), renderer, decorated])
        return [Look(**look) for look in shown]

    async def render_bare(self, texts: Sequence[str]) -> list[Look]:
        """Render the texts with marked alone."""
        return [Look(**look) for look in await self.page.evaluate(BARE, list(texts))]


def build() -> None:
    """Build both renderers."""
    subprocess.run(BUILD, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@contextlib.asynccontextmanager
async def staged(browser: Any) -> AsyncIterator[Stage]:
    """Open a page that can load the renderers and nothing else."""
    page = await browser.new_page()
    stage = Stage(page)

    async def serve(route: Any) -> None:
        url: str = route.request.url
        path = BUILT / url.removeprefix(f"{SITE}/")
        if url == f"{SITE}/":
            await route.fulfill(body="<!doctype html><body>", content_type="text/html")
        elif url.startswith(SITE) and path.suffix == ".js" and path.is_file():
            await route.fulfill(body=path.read_text(), content_type="text/javascript")
        else:
            stage.requests.append(url)
            await route.abort()

    await page.route("**/*", serve)
    page.on("pageerror", lambda error: stage.errors.append(str(error)))
    await page.add_init_script(LOOK)
    await page.goto(f"{SITE}/")
    yield stage
    await page.close()


@contextlib.asynccontextmanager
async def chromium(path: str) -> AsyncIterator[Any]:
    """Start the browser."""
    playwright = importlib.import_module("playwright.async_api")
    async with playwright.async_playwright() as started:
        browser = await started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()

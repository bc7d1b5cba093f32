"""Compare what the answer filter lets through with what renderers make of it.

Attacks are generated, filtered, and rendered: by markdown-it with CommonMark and with GFM and its
link finder, and in Chromium by the product's own `markdown.js` and by marked without a sanitizer.
Nothing may link to another host, and no request may leave the page. Every attack is also split at
random: the result must be the same. `make verify-filter` runs all of it.
"""

import asyncio
import importlib
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.filter_cases import HOST, MENU, generated, ordinary
from benchmarks.filter_oracle import TAGS, escapes, foreign, linked
from benchmarks.page import everything, publish
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.types import Evidence, EvidenceKind

CASES = 20_000
BATCH = 250
STATIC = Path(results.ROOT) / "src" / "saegim" / "web" / "static"
SITE = "http://filter.test"
EVIDENCE = {
    marker: Evidence(EvidenceKind.PASSAGE, marker, marker, marker, "글") for marker in ("1", "M1")
}
# Elements and attributes of both renderings, and text outside links and code.
COLLECT = """
async (texts) => {
  const { render } = await import("/static/markdown.js");
  const { Marked } = await import("/static/vendor/marked.esm.js");
  const marked = new Marked({ gfm: true, async: false });
  const look = (root) => {
    const attributes = [], tags = [], plain = [];
    for (const element of root.querySelectorAll("*")) {
      tags.push(element.localName);
      for (const attribute of element.attributes)
        attributes.push([element.localName, attribute.name, attribute.value]);
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement?.closest("a, code"))
        plain.push(walker.currentNode.data);
    return { attributes, tags, plain };
  };
  return texts.map((text) => {
    const own = document.createElement("div");
    own.append(render(text));
    document.body.replaceChildren(own);
    const bare = new DOMParser().parseFromString(marked.parse(text), "text/html").body;
    return [look(own), look(bare)];
  });
}
"""
HARMLESS = TAGS | {"div"}
PLAIN = frozenset({"align", "start", "class", "type", "checked", "disabled", "title"})
OURS = PLAIN | {"target", "rel", "tabindex"}


@dataclass
class Outcome:
    """The number of cases, and every case that got through."""

    cases: int = 0
    escaped: list[str] = field(default_factory=list[str])
    split_differs: list[str] = field(default_factory=list[str])
    requests: list[str] = field(default_factory=list[str])
    ordinary: int = 0
    changed: list[str] = field(default_factory=list[str])
    in_browser: int = 0


def sanitized(pieces: Sequence[str]) -> str:
    """Returns an answer as it is sent to clients."""
    sanitizer = StreamSanitizer(EVIDENCE, [MENU], [HOST])
    return "".join(map(sanitizer.feed, pieces)) + sanitizer.close()


def cut(text: str, made: random.Random) -> list[str]:
    """Splits the text into pieces of one to six characters."""
    pieces: list[str] = []
    at = 0
    while at < len(text):
        length = made.randint(1, 6)
        pieces.append(text[at : at + length])
        at += length
    return pieces


def compare(cases: int, seed: int = 19) -> tuple[Outcome, list[str]]:
    """Filters and renders without a browser; also returns the filtered texts."""
    outcome, made, sent = Outcome(), random.Random(seed), list[str]()
    for case in generated(cases, seed):
        text = sanitized([case])
        outcome.cases += 1
        sent.append(text)
        if sanitized(cut(case, made)) != text:
            outcome.split_differs.append(case)
        if found := escapes(text):
            outcome.escaped.append(f"{case!r} -> {text!r}: {found}")
    for text in ordinary():
        outcome.ordinary += 1
        if sanitized([text]) != text or sanitized(cut(text, made)) != text:
            outcome.changed.append(text)
    return outcome, sent


async def render_in_chromium(sent: Sequence[str], outcome: Outcome, chromium: str) -> None:
    """Renders many answers per page, and checks every element and request."""
    playwright = importlib.import_module("playwright.async_api")

    async def serve(route: Any) -> None:
        url: str = route.request.url
        path = STATIC / url.removeprefix(f"{SITE}/static/")
        if url == f"{SITE}/":
            await route.fulfill(body="<!doctype html><body>", content_type="text/html")
        elif url.startswith(f"{SITE}/static/") and path.is_file():
            await route.fulfill(body=path.read_text(), content_type="text/javascript")
        else:
            outcome.requests.append(url)
            await route.abort()

    async with playwright.async_playwright() as started:
        browser = await started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.route("**/*", serve)
        await page.goto(f"{SITE}/")
        for start in range(0, len(sent), BATCH):
            texts = list(sent[start : start + BATCH])
            for text, looks in zip(texts, await page.evaluate(COLLECT, texts), strict=True):
                outcome.in_browser += 1
                found = [one for look in looks for one in _elsewhere(look)]
                if found:
                    outcome.escaped.append(f"chromium: {text!r}: {found}")
        await browser.close()


def _elsewhere(look: dict[str, Any]) -> list[str]:
    found = [f"<{tag}>" for tag in look["tags"] if tag not in HARMLESS]
    for tag, name, value in look["attributes"]:
        if name not in OURS and (name != "href" or foreign(value)):
            found.append(f"{tag} {name}={value}")
    return found + [one for text in look["plain"] for one in linked(text)]


def main() -> int:
    began = time.monotonic()
    chromium = os.environ.get("SAEGIM_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed (apt-get install chromium, or set SAEGIM_CHROMIUM)")
        return 2
    outcome, sent = compare(CASES)
    asyncio.run(render_in_chromium(sent, outcome, chromium))
    figures = {
        "cases": outcome.cases,
        "cases_in_chromium": outcome.in_browser,
        "escapes": len(outcome.escaped),
        "split_differs": len(outcome.split_differs),
        "requests": len(outcome.requests),
        "ordinary": outcome.ordinary,
        "unchanged_ordinary": outcome.ordinary - len(outcome.changed),
        "seconds": round(time.monotonic() - began, 1),
    }
    for line in [*outcome.escaped[:20], *outcome.split_differs[:5], *outcome.changed[:5]]:
        print(line)
    print(figures)
    results.write("filter", figures, {"cases": CASES, "renderers": "markdown-it, marked, Chromium"})
    publish("filter", everything(figures))
    bad = outcome.escaped or outcome.split_differs or outcome.requests or outcome.changed
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

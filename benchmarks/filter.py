"""Compare what the answer filter lets through with what renderers make of it.

Attacks are generated, filtered, and rendered: by markdown-it with CommonMark and with GFM and its
link finder, and in Chromium by the renderers of the pages and of the widget, and by marked without
a sanitizer. Nothing may link to another host, and no request may leave the page. Every attack is
also split at random: the result must be the same. `make verify-filter` runs all of it.
"""

import asyncio
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks import results
from benchmarks.filter_cases import HOST, MENU, generated, ordinary
from benchmarks.filter_oracle import TAGS, escapes, foreign, linked
from benchmarks.page import everything, publish
from benchmarks.renderers import RENDERERS, Look, build, chromium, staged
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.types import Evidence, EvidenceKind

CASES = 20_000
BATCH = 250
EVIDENCE = {
    marker: Evidence(EvidenceKind.PASSAGE, marker, marker, marker, "글") for marker in ("1", "M1")
}
HARMLESS = TAGS | {"div", "span", "button", "input"}
PLAIN = frozenset({"align", "start", "class", "type", "checked", "disabled", "title"})
OURS = PLAIN | {"target", "rel", "tabindex", "role", "aria-label"}


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


async def render_in_chromium(sent: Sequence[str], outcome: Outcome, path: str) -> None:
    """Renders many answers per page, and checks every element and request."""
    async with chromium(path) as browser, staged(browser) as stage:
        for start in range(0, len(sent), BATCH):
            texts = list(sent[start : start + BATCH])
            looks = [await stage.render(texts, name) for name in RENDERERS]
            looks.append(await stage.render_bare(texts))
            for text, *each in zip(texts, *looks, strict=True):
                outcome.in_browser += 1
                if found := [one for look in each for one in _elsewhere(look)]:
                    outcome.escaped.append(f"chromium: {text!r}: {found}")
        outcome.requests += stage.requests
        outcome.escaped += stage.errors


def _elsewhere(look: Look) -> list[str]:
    found = [f"<{tag}>" for tag in look.tags if tag not in HARMLESS]
    for tag, name, value in look.attributes:
        if name not in OURS and (name != "href" or foreign(value)):
            found.append(f"{tag} {name}={value}")
    return found + [one for text in look.plain for one in linked(text)]


def main() -> int:
    began = time.monotonic()
    browser = os.environ.get("SAEGIM_CHROMIUM") or shutil.which("chromium")
    if browser is None:
        print("chromium is not installed (apt-get install chromium, or set SAEGIM_CHROMIUM)")
        return 2
    build()
    outcome, sent = compare(CASES)
    asyncio.run(render_in_chromium(sent, outcome, browser))
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
    results.write(
        "filter",
        figures,
        {"cases": CASES, "renderers": "markdown-it, marked, pages and widget in Chromium"},
    )
    publish("filter", everything(figures))
    bad = outcome.escaped or outcome.split_differs or outcome.requests or outcome.changed
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

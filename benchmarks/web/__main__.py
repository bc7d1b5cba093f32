"""`python -m benchmarks.web [--part speed|pages|bugs|peer ...]`: other parts keep their figures."""

import argparse
import asyncio
import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import results
from benchmarks.page import everything, publish
from benchmarks.renderers import chromium
from benchmarks.web import accessibility, bugs, open_webui, speed

PARTS = ("speed", "pages", "bugs", "peer")
# What each figure may be at most; figures without a bound are shown beside them.
MOST = {
    "chat.first_load_kb_gz": 150.0,
    "widget.kb_gz": 60.0,
    "axe.findings": 0.0,
    "open_500_turns_ms": 1000.0,
    "scroll_500_turns.longest_task_ms": 50.0,
    "stream_20k.longest_task_ms": 50.0,
}


async def measure(parts: Sequence[str], browser_path: str) -> tuple[dict[str, float], Any]:
    """Return the figures of the parts, and what is wrong by page or bug."""
    figures: dict[str, float] = {}
    details: dict[str, Any] = {}
    async with chromium(browser_path) as browser:
        if "speed" in parts:
            figures |= await speed.measure(browser)
        if "pages" in parts:
            found, details["findings"] = await accessibility.measure(browser)
            figures |= found
    if "peer" in parts:
        figures |= await asyncio.to_thread(open_webui.measure)
    if "bugs" in parts:
        known, tested = bugs.known(), await asyncio.to_thread(bugs.tested)
        figures |= {"bugs_ab": float(len(known)), "bugs_ab_with_test": float(len(known & tested))}
        details["bugs_without_test"] = sorted(known - tested)
    return figures, details


def beyond(figures: Mapping[str, float]) -> list[str]:
    """Return the figures that miss their goal."""
    wrong = [name for name, most in MOST.items() if figures.get(name, 0) > most]
    if figures.get("bugs_ab_with_test", 0) < figures.get("bugs_ab", 0):
        wrong.append("bugs_ab_with_test")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parts = parser.parse_args().part
    browser_path = os.environ.get("SAEGIM_CHROMIUM") or shutil.which("chromium")
    if browser_path is None:
        print("chromium is not installed (apt-get install chromium, or set SAEGIM_CHROMIUM)")
        return 2
    began = time.monotonic()
    figures, details = asyncio.run(measure(parts, browser_path))
    configuration = {"parts": list(parts), "seconds": round(time.monotonic() - began), **details}
    results.merge("web", figures, configuration)
    publish("web", everything(results.known("web")))
    print(figures)
    print(details)
    missed = beyond(figures)
    print("missed:", missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

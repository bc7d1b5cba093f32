"""Count the bugs of the pages that a browser test would find."""

import re
import subprocess
import sys

from benchmarks.results import ROOT

PAGE = ROOT / "docs" / "reference" / "web-bugs.md"
ROW = re.compile(r"^\| (\d+) \| [AB] \|", re.MULTILINE)
# Prints the numbers of the markers of all tests that pytest collects.
COLLECT = """
import sys

import pytest


class Numbers:
    def pytest_collection_finish(self, session):
        marks = (mark for item in session.items for mark in item.iter_markers("bug"))
        numbers = {number for mark in marks for number in mark.args}
        print("bugs:", *sorted(numbers))


sys.exit(pytest.main(["--collect-only", "-qq", "-n", "0", "tests/web"], plugins=[Numbers()]))
"""


def known() -> set[int]:
    """Return the numbers of all bugs of severity A and B."""
    return {int(number) for number in ROW.findall(PAGE.read_text("utf-8"))}


def tested() -> set[int]:
    """Return the numbers of the bugs that a test names."""
    collected = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    [line] = re.findall(r"^bugs: ?(.*)$", collected.stdout, re.MULTILINE)
    return {int(number) for number in line.split()}

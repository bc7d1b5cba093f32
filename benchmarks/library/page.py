"""The page of benchmark figures in the documentation: each command writes its own part."""

from benchmarks.results import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"


def publish(part: str, text: str) -> None:
    """Puts the text between the marks of a part, which the page has to have."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    page = PAGE.read_text("utf-8")
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{PAGE.name} has no place for {part}")
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")

"""The docs name every package and table, promise nothing unfinished, and link to what exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
CREATED = re.compile(r"create table (?:if not exists )?(\w+)")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
SCREEN = 55  # lines


def packages() -> list[str]:
    return sorted(path.parent.name for path in (ROOT / "src/saegim").glob("*/__init__.py"))


def unnamed(page: str) -> list[str]:
    """Packages that the folder table of a page lacks."""
    return [name for name in packages() if f"| `{name}/` |" not in page]


def broken(page: Path, root: Path = ROOT) -> list[str]:
    """Links of a page to files that do not exist."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = LINK.findall(text) + re.findall(r'<img src="([^"]+)"', text)
    targets = [target for target in targets if not re.match(r"[a-z]+:", target)]
    return [target for target in targets if not (page.parent / target).exists()]


def test_architecture_names_every_package() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    assert unnamed(page) == []
    assert unnamed(page.replace("| `webhooks/` |", "| |")) == ["webhooks"]


def test_architecture_names_only_files_that_exist() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page)
    missing = [
        path
        for path in named
        if not (ROOT / "src/saegim" / path).is_file() and not (ROOT / path).is_file()
    ]
    assert named
    assert missing == []


@pytest.mark.parametrize("words", ["to come", "coming soon", "not written yet"])
def test_no_page_announces_what_does_not_exist(words: str) -> None:
    pages = [page for page in PAGES if page.name != "CHANGELOG.md"]
    found = [page.name for page in pages if re.search(rf"\b{words}\b", page.read_text("utf-8"))]
    assert found == []


def test_every_link_to_a_file_works() -> None:
    found = {str(page.relative_to(ROOT)): broken(page) for page in PAGES}
    assert {page: links for page, links in found.items() if links} == {}


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#top) [b](gone.md) [c](https://example.com)\n", "utf-8")
    assert broken(page) == ["gone.md"]


def test_the_table_diagram_has_every_table() -> None:
    created = set[str]()
    for folder in ("db/migrations", "encryption"):
        for path in (ROOT / "src/saegim" / folder).rglob("*"):
            if path.suffix in (".py", ".sql"):
                created |= set(CREATED.findall(path.read_text("utf-8")))
    drawn = re.findall(r"<text x=[^>]*>(\w+)</text>", _diagram())
    assert set(drawn) == created


def _diagram() -> str:
    return (ROOT / "docs/images/tables.svg").read_text("utf-8")


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_a_readme_fits_two_screens(name: str) -> None:
    assert len((ROOT / name).read_text("utf-8").splitlines()) <= 2 * SCREEN

"""The Korean catalogue is whole, and is read as gettext tools read it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from saegim.locales import catalogue, translate
from scripts import texts
from scripts.frontend import PAGES, ROOT, SHARED, SOURCE


@pytest.fixture(scope="module")
def translations() -> dict[str, str]:
    return texts.read()


@pytest.fixture(scope="module")
def used() -> dict[str, list[str]]:
    return texts.extract()


def test_every_text_is_used_has_korean_and_the_same_placeholders(
    used: dict[str, list[str]], translations: dict[str, str]
) -> None:
    assert texts.problems(used, translations) == []


def test_a_text_without_korean_unused_or_with_other_placeholders_is_found(
    used: dict[str, list[str]], translations: dict[str, str]
) -> None:
    text = "Deleted {count} turns."
    wrong = translations | {text: "턴 {number}개를 삭제했습니다.", "Nobody says this.": "아니오"}
    del wrong["Turn ID."]
    assert [line.split(":")[0].split(" (")[0] for line in texts.problems(used, wrong)] == [
        "no Korean",
        "not used any more",
        f"other placeholders than {text!r}",
    ]


def test_the_catalogue_is_read_as_babel_reads_it(translations: dict[str, str]) -> None:
    assert catalogue("ko") == translations
    assert len(translations) > 400


def test_korean_texts_are_in_korean(translations: dict[str, str]) -> None:
    """A text that is the same in both languages needs no entry: it is not a text."""
    same = {text for text, korean in translations.items() if not re.search("[가-힣]", korean)}
    assert same == set()


def test_a_text_without_translation_is_shown_in_english() -> None:
    assert translate("Not in the catalogue: {name}", "ko", name="x") == "Not in the catalogue: x"
    assert translate("Deleted {count} turns.", "en", count=2) == "Deleted 2 turns."
    assert translate("Deleted {count} turns.", "ko", count=2) == "턴 2개를 삭제했습니다."
    assert catalogue("fr") == {}


def test_texts_of_one_kind_of_file() -> None:
    assert "Turn ID." in catalogue("ko", ".py")
    assert "Turn ID." not in catalogue("ko", ".js")


IMPORT = re.compile(r"""(?:from|import\()\s*"([^"]+\.(?:ts|svelte))\"""")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_korean_texts_of_all_that_it_imports(
    page: str, used: dict[str, list[str]]
) -> None:
    folders = tuple(f"frontend/src/{folder}/" for folder in (*SHARED, *PAGES[page]))
    reached = {str(file.relative_to(ROOT)) for file in _imported(SOURCE / "pages" / page)}
    missing = {
        text: files
        for text, files in used.items()
        if not reached.isdisjoint(files) and not any(f.startswith(folders) for f in files)
    }

    assert len(reached) > 10
    assert missing == {}


def _imported(page: Path) -> set[Path]:
    """Returns the files of a page, and those that they import."""
    found = set[Path]()
    open_files = [file for file in page.rglob("*.*") if ".test." not in file.name]
    while open_files:
        file = open_files.pop()
        if file in found:
            continue
        found.add(file)
        open_files += _imports(file)
    return found


def _imports(file: Path) -> Iterator[Path]:
    for name in IMPORT.findall(file.read_text("utf-8")):
        alias, _, rest = name.partition("/")
        at = SOURCE / alias[1:] / rest if alias in ("$lib", "$components") else file.parent / name
        if at.resolve().is_relative_to(SOURCE) and alias != "$client":
            yield at.resolve()

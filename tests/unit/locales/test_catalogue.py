"""The Korean catalogue is whole, and is read as gettext tools read it."""

import re

import pytest

from saegim.locales import catalogue, translate
from scripts import texts


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

"""Errors of sources in words."""

import pytest

from saegim.locales import catalogue
from saegim.net.errors import FetchFault
from saegim.sources.error_texts import FAULT_TEXTS, error_text


def test_every_fault_has_a_sentence_in_both_languages() -> None:
    assert FAULT_TEXTS.keys() == set(FetchFault)
    assert set(FAULT_TEXTS.values()) <= catalogue("ko").keys()
    for fault in FetchFault:
        for text in (error_text(fault, "en"), error_text(f"{fault} 500 listing", "ko")):
            assert fault not in text
            assert text.endswith((".", "?", "500 listing")), text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("http_error 403 listing", "The server refused access (403)."),
        ("http_error 404", "The server has nothing at this address (404)."),
        ("http_error 502 sitemap", "The server answered with an error (502)."),
        ("taken: a.md", "Another source has already brought"),
        ("scanned", "The pages are pictures"),
        ("something new", "The source could not be read."),
    ],
)
def test_details_choose_the_sentence(error: str, text: str) -> None:
    assert error_text(error, "en").startswith(text)

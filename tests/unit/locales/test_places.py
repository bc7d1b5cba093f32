import pytest

from saegim.client.types import Locator
from saegim.locales.places import place_text


@pytest.mark.parametrize(
    ("place", "korean", "english"),
    [
        (Locator(page=3), "3쪽", "page 3"),
        (Locator(page=3, last=5), "3~5쪽", "pages 3–5"),
        (Locator(slide=2), "슬라이드 2", "slide 2"),
        (Locator(sheet="재고", row=7), "시트 ‘재고’ 7행", "sheet “재고”, row 7"),
        (Locator(), "", ""),
        (None, "", ""),
    ],
)
def test_a_place_is_named_in_words(place: Locator | None, korean: str, english: str) -> None:
    assert place_text(place, "ko") == korean
    assert place_text(place, "en") == english

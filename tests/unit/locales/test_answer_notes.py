from uuid import UUID

import pytest

from saegim.client.types import Effect, Locator
from saegim.locales.answer_notes import effects_text, place_text


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


def effect(kind: str, text: str = "") -> Effect:
    return Effect(kind=kind, id=UUID(int=1), text=text)


def test_what_a_turn_did_to_memory_is_told_in_words() -> None:
    done = [
        effect("forgotten", "부산에 산다"),
        effect("remembered", "서울에 산다"),
        effect("remembered", "표를 좋아한다"),
        effect("left_out", "비밀"),
    ]
    remembered = "기억함: 서울에 산다 · 표를 좋아한다"
    assert effects_text(done, "ko") == f"{remembered} · 잊음: “부산에 산다” · 기억에서 제외함"
    assert effects_text(done, "ko", in_public=True) == f"{remembered} · 잊음 · 기억에서 제외함"
    assert effects_text([effect("undone", "I live in Seoul")], "en") == "Undone: I live in Seoul"
    assert effects_text([], "en") == ""

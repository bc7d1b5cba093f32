"""Chooses the language of an answer."""

import re
from typing import Literal

Locale = Literal["ko", "en"]

_HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")


def spoken(text: str, otherwise: Locale) -> Locale:
    """Return the language of a message, or the other one if it has no words."""
    if _HANGUL.search(text):
        return "ko"
    return "en" if re.search(r"[A-Za-z]{2}", text) else otherwise

"""Texts of the product, in both languages, that say that what follows is no exact answer."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Literal

from saegim.chat.answer import ABSTAINED, TOOLS_FAILED
from saegim.chat.types import NOTHING_FOUND, NOTHING_READY
from saegim.locales import translate
from saegim.offline.texts import CLOSEST, NEAREST_SAID, NEEDS_MODEL, UNKNOWN_FACT

Hedge = Literal["closest", "refused", "needs_model"]

_TEXTS: dict[Hedge, Sequence[str]] = {
    "closest": (CLOSEST, NEAREST_SAID),
    "refused": (NOTHING_FOUND, NOTHING_READY, ABSTAINED, TOOLS_FAILED, UNKNOWN_FACT),
    "needs_model": (NEEDS_MODEL,),
}
_PLACEHOLDER = re.compile(r"\\\{\w*\\\}")
_MARKUP = re.compile(r"[*_`#]+")


def hedge_of(answer: str) -> Hedge | None:
    """Returns how the product says that what follows is no exact answer, or None if it does not."""
    start = _plain(answer)
    for hedge in _TEXTS:
        if any(re.match(text, start) for text in _expressions(hedge)):
            return hedge
    return None


@cache
def _expressions(hedge: Hedge) -> tuple[str, ...]:
    """Returns the texts as expressions in which a value may stand for each placeholder."""
    shown = [translate(text, locale) for text in _TEXTS[hedge] for locale in ("en", "ko")]
    return tuple(_PLACEHOLDER.sub(".{1,200}?", re.escape(_plain(text))) for text in shown)


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())

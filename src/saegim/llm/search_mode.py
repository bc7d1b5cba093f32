"""How a reply of the answer's twin begins, so that what only quotes is not taken for said."""

from saegim.domain.scope import Locale

SEARCH_MODE: dict[Locale, str] = {
    "ko": "(검색 모드) 언어 모델 없이, 찾은 내용을 그대로 보여 드립니다.",
    "en": "(search mode) No language model is at work: this is what was found, word for word.",
}


def is_search_mode(reply: str) -> bool:
    """Whether a reply quotes the conversation instead of adding to it."""
    return reply.startswith(tuple(SEARCH_MODE.values()))

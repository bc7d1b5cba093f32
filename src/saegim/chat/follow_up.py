"""What a follow-up leaves out, by rule: after "11월 분석해줘", "1월은?" is "1월 분석해줘"."""

import re
from collections.abc import Iterator, Sequence

from saegim.text.analysis import sentences

_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
# What a follow-up names in place of what was named before: one of the same kind.
_KINDS = tuple(
    re.compile(kind, re.IGNORECASE)
    for kind in (
        r"(?<!\d)\d{1,2}월(?!\s?\d)",
        r"(?<!\d)\d{4}년(?!\s?\d)",
        r"(?<!\d)\d{1,2}분기",
        r"[월화수목금토일]요일",
        r"(?:지난|이번|다음)\s?(?:주|달|분기)|작년|올해|내년|어제|오늘|내일",
        rf"\b{_MONTHS}\b",
        r"\bq[1-4]\b",
        r"(?<!\d)(?:19|20)\d\d(?![\d년])",
    )
)
_LEAD = r"(?:그럼|그러면|그리고|그렇다면|혹시|and|then|so|but|(?:what|how) about)?[\s,]*"
_TAIL = r"\s*(?:은|는|도|에는|에도|(?:은|는)\s?어때|(?:은|는)\s?어땠어)?요?\s*[?？]*\s*"


def whole_question(message: str, said: Sequence[str], summary: str = "") -> str | None:
    """The question that a follow-up stands for; None where it names nothing that was named before.

    The last message goes first, then those before it, then the summary's sentences.
    """
    for kind in _KINDS:
        named = re.fullmatch(rf"{_LEAD}({kind.pattern}){_TAIL}", message.strip(), re.IGNORECASE)
        if named is None:
            continue
        for text in _latest_first(said, summary):
            before = kind.search(text)
            if before is not None and not _is_follow_up(text):
                return f"{text[: before.start()]}{named[1]}{text[before.end() :]}".strip()
    return None


def _latest_first(said: Sequence[str], summary: str) -> Iterator[str]:
    yield from (text for text in reversed(said) if text.strip())
    yield from reversed(sentences(summary))


def _is_follow_up(text: str) -> bool:
    """Whether a text is itself one that says nothing without another."""
    return any(
        re.fullmatch(rf"{_LEAD}({kind.pattern}){_TAIL}", text.strip(), re.IGNORECASE)
        for kind in _KINDS
    )

"""What the rule judge says beside its scores: the band that a score is in, in both languages."""

from collections.abc import Sequence
from dataclasses import dataclass

from saegim.domain.scope import Locale

Bands = Sequence[tuple[int, str]]
"""The lowest score of each band, highest first, and its description."""

_KO_NOISE = (
    (9, "노이즈가 심해 쿼리 처리 방해"),
    (7, "노이즈가 많아 핵심 찾기 어려움"),
    (4, "노이즈가 있으나 핵심 정보 식별 가능"),
    (2, "약간의 무관 정보"),
    (0, "노이즈 거의 없음, 깔끔함"),
)
_EN_NOISE = (
    (9, "noise gets in the way of the query"),
    (7, "so much noise that what matters is hard to find"),
    (4, "noise, but what matters can be told"),
    (2, "a little that is unrelated"),
    (0, "hardly any noise"),
)
_KO = (
    (
        (9, "쿼리에 직접 관련된 정보가 명확히 존재"),
        (7, "관련 정보가 있으나 간접적"),
        (4, "부분적으로 관련 있음"),
        (1, "거의 관련 없음"),
        (0, "전혀 관련 없음"),
    ),
    (
        (9, "응답에 필요한 모든 맥락 존재"),
        (7, "대부분의 맥락 존재, 일부 누락"),
        (4, "기본 맥락만 존재"),
        (1, "맥락이 거의 없음"),
        (0, "맥락 전혀 없음"),
    ),
    (
        (9, "정보가 정확하고 신뢰 가능"),
        (7, "대체로 정확, 사소한 오차"),
        (4, "일부 부정확한 정보 혼재"),
        (1, "상당 부분 부정확"),
        (0, "정보가 완전히 틀림"),
    ),
    _KO_NOISE,
)
_EN = (
    (
        (9, "clearly holds what the query is about"),
        (7, "related, but indirectly"),
        (4, "related in part"),
        (1, "hardly related"),
        (0, "unrelated"),
    ),
    (
        (9, "all the context that an answer needs"),
        (7, "most of the context"),
        (4, "the basic context alone"),
        (1, "hardly any context"),
        (0, "no context"),
    ),
    (
        (9, "right and reliable"),
        (7, "right on the whole"),
        (4, "partly wrong"),
        (1, "mostly wrong"),
        (0, "nothing that is right"),
    ),
    _EN_NOISE,
)


@dataclass(frozen=True, slots=True)
class Reasons:
    """The bands of the four criteria in one language."""

    bands: Sequence[Bands]

    def relevance(self, score: int) -> str:
        return _band(self.bands[0], score)

    def completeness(self, score: int) -> str:
        return _band(self.bands[1], score)

    def accuracy(self, score: int) -> str:
        return _band(self.bands[2], score)

    def noise(self, score: int) -> str:
        return _band(self.bands[3], score)

    def summary(self, *scores: int) -> str:
        """One line: what each criterion came to."""
        parts = zip(self.bands, scores, strict=True)
        return "; ".join(_band(bands, score) for bands, score in parts)


def of(locale: Locale) -> Reasons:
    return Reasons(_KO if locale == "ko" else _EN)


def _band(bands: Bands, score: int) -> str:
    return next(text for lowest, text in bands if score >= lowest)

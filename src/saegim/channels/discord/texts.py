"""What the bot says itself, in Korean and English."""

import re
from dataclasses import dataclass
from typing import Literal

Locale = Literal["ko", "en"]

_HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages; call it with the language and its values."""

    ko: str
    en: str

    def __call__(self, locale: Locale, **values: object) -> str:
        return (self.ko if locale == "ko" else self.en).format(**values)


def spoken(text: str, otherwise: Locale) -> Locale:
    """The language of a message; the place's own where it has no words."""
    if _HANGUL.search(text):
        return "ko"
    return "en" if re.search(r"[A-Za-z]{2}", text) else otherwise


HELLO = Text(
    ko="네, 부르셨어요? 저를 멘션하면서 물어보시면 답해 드립니다.",
    en="Yes? Mention me with a question and I will answer it.",
)
DOWN = Text(
    ko="지금은 답할 수 없는 상태예요. 잠시 후에 다시 불러 주세요.",
    en="I cannot answer right now. Please try again in a little while.",
)
FAILED = Text(
    ko="답을 마치지 못했어요. 다시 물어봐 주세요.",
    en="I could not finish the answer. Please ask again.",
)
BROKE_OFF = Text(ko="-# (답이 중간에 끊겼습니다.)", en="-# (The answer broke off here.)")
TOLD_BEFORE = Text(ko="전에 해 주신 말", en="what you told me before")
TOO_OFTEN = Text(
    ko="잠깐만요, 조금 천천히 물어봐 주세요. 1분 뒤에 다시 답할 수 있어요.",
    en="One moment: that is more than I may answer in a minute. Please try again shortly.",
)
NOT_CONNECTED = Text(
    ko="이 서버는 아직 연결되지 않았어요. 운영자에게 알려 주세요.",
    en="This server is not connected yet. Please tell whoever runs me.",
)
NOTHING_REMEMBERED = Text(
    ko="여기서 기억하고 있는 것이 없어요.", en="I remember nothing about you here."
)
REMEMBERED = Text(ko="여기서 기억하고 있는 것:", en="What I remember about you here:")
FORGOTTEN = Text(ko="잊었어요: {what}", en="Forgotten: {what}")
WHICH = Text(
    ko="여러 개가 맞아요. `/memory`의 번호로 골라 주세요:",
    en="Several match. Choose one by its number in `/memory`:",
)
NO_MATCH = Text(ko="맞는 기억이 없어요.", en="No memory matches that.")
NO_TURN = Text(ko="이 채널에서 최근에 답한 것이 없어요.", en="I have not answered you here lately.")
WHY = Text(
    ko="경로 `{route}` · 근거 {evidence} · 기억 {memories} · 토큰 {tokens} · "
    "{seconds}초 · {models}",
    en="route `{route}` · evidence {evidence} · memories {memories} · tokens {tokens} · "
    "{seconds} s · {models}",
)
EVALUATED = Text(
    ko="기억 평가 {score}점 (판정: {judge})\n{reasons}",
    en="Memory scores {score} (judged by: {judge})\n{reasons}",
)
ADMINS_ONLY = Text(
    ko="서버 관리 권한이 있는 사람만 쓸 수 있어요.",
    en="Only people who manage this server may do that.",
)
CODE = Text(
    ko="웹이나 다른 곳에서 이 코드를 입력하면 한 사람으로 이어져요: `{code}` (10분)",
    en="Say this code on the web or elsewhere to become one person: `{code}` (10 minutes)",
)
LINKED = Text(
    ko="이어졌어요. 이제 어디서나 같은 기억을 써요.", en="Linked. One memory serves you everywhere."
)
UNLINKED = Text(ko="연결을 끊었어요.", en="Unlinked.")
NOT_LINKED = Text(ko="연결된 계정이 없어요.", en="This account is not linked.")
RANKING = Text(ko="최근 {days}일 활동 순위", en="Most active in the last {days} days")
NO_RANKING = Text(ko="아직 센 것이 없어요.", en="Nothing was counted yet.")
GONE = Text(ko="(나간 사람)", en="(left)")
WEATHER = Text(ko="🌤 오늘의 날씨 — {text}", en="🌤 Today's weather — {text}")
NO_WEATHER = Text(
    ko="{place} 날씨를 지금은 가져올 수 없어요.", en="The weather at {place} is not available now."
)
NOTICES = Text(ko="날씨 알림:", en="Weather notices:")
NO_NOTICES = Text(ko="날씨 알림이 없어요.", en="There are no weather notices.")
NOTICE_ADDED = Text(
    ko="매일 {at}에 {place} 날씨를 알려 드릴게요.", en="I will tell the weather at {place} at {at}."
)
DONE = Text(ko="바꿨어요.", en="Changed.")
WRONG = Text(ko="받아들일 수 없는 값이에요: {reason}", en="That cannot be used: {reason}")
SETTINGS = Text(
    ko="언어 {language} · 페르소나 {persona} · 규칙 {rules} · 로그 {log} · "
    "주변 대화 보관 {nearby} · 한도 {user}/{guild} (1분)\n{channels}",
    en="language {language} · persona {persona} · rules {rules} · log {log} · "
    "nearby messages kept {nearby} · limits {user}/{guild} (a minute)\n{channels}",
)
LOG_CHANGED = Text(ko="설정 변경: {who} — {what}", en="Settings changed: {who} — {what}")
LOG_DOWN = Text(ko="API에 닿지 않음: {code}", en="The API is out of reach: {code}")
LOG_FAILED = Text(ko="답하지 못함: {code}", en="Not answered: {code}")
LOG_LIMIT = Text(ko="한도 도달: {who}", en="Limit reached: {who}")

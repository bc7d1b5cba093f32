"""Long conversations with planted values, for tests of memory."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from saegim.domain.scope import Locale

Make = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class PlantedConversation:
    """The turns, the key and value that each states, and the final value of each key, oldest
    first."""

    turns: tuple[tuple[str, str], ...]
    stated: tuple[tuple[str, str], ...]
    values: dict[str, str]

    def latest(self, count: int) -> dict[str, str]:
        """Return the last values."""
        return dict(list(self.values.items())[-count:])


def _won(chance: random.Random) -> str:
    return chance.choice(
        [f"{chance.randint(11, 99) / 10}억", f"{chance.randint(100, 9_999):,}만원"]
    )


def _dollars(chance: random.Random) -> str:
    return f"${chance.randint(1_000, 99_999):,}"


def _percent(chance: random.Random) -> str:
    return f"{chance.randint(11, 989) / 10}%"


def _korean_date(chance: random.Random) -> str:
    return f"2027년 {chance.randint(1, 12)}월 {chance.randint(1, 28)}일"


def _english_date(chance: random.Random) -> str:
    month = chance.choice(["January", "March", "June", "August", "October", "December"])
    return f"{month} {chance.randint(1, 28)}, 2027"


def _code(chance: random.Random) -> str:
    return f"{chance.choice(['CT', 'INV', 'SR', 'PO'])}-{chance.randint(10_000, 99_999)}"


def _host(chance: random.Random) -> str:
    return f"{chance.choice(['prod', 'stage', 'edge'])}-db-{chance.randint(10, 99)}"


def _version(chance: random.Random) -> str:
    return f"v{chance.randint(1, 9)}.{chance.randint(0, 30)}.{chance.randint(0, 30)}"


def _korean_name(chance: random.Random) -> str:
    given = chance.choice(["민수", "서연", "지호", "하은", "도윤", "수아", "예준", "지우", "현우"])
    return chance.choice("김이박최정강조윤장임한오서신") + given


def _english_name(chance: random.Random) -> str:
    first = chance.choice(["Jane", "Omar", "Mina", "Lucas", "Priya", "Hanna", "Noah", "Ivy"])
    last = chance.choice(["Smith", "Garcia", "Okafor", "Lindqvist", "Tanaka", "Moreau", "Novak"])
    return f"{first} {last}"


_KOREAN: dict[str, Make] = {
    **dict.fromkeys(
        ["예산", "마케팅 예산", "서버 비용", "연간 매출", "계약 금액", "환불 금액"], _won
    ),
    **dict.fromkeys(["월 요금", "11월 AWS 비용", "스토리지 비용", "광고 단가"], _dollars),
    **dict.fromkeys(["전환율", "이탈률", "RI 커버리지", "할인율", "목표 성장률"], _percent),
    **dict.fromkeys(["마감일", "출시일", "계약 종료일", "다음 회의", "점검 일정"], _korean_date),
    **dict.fromkeys(["계약 번호", "송장 번호", "티켓 번호", "주문 번호"], _code),
    **dict.fromkeys(["운영 서버", "예비 서버", "로그 서버"], _host),
    **dict.fromkeys(["배포 버전", "앱 버전", "드라이버 버전"], _version),
    **dict.fromkeys(["담당자", "팀장", "계약 담당자", "보안 책임자"], _korean_name),
}
_ENGLISH: dict[str, Make] = {
    **dict.fromkeys(["budget", "marketing budget", "storage cost", "annual revenue"], _dollars),
    **dict.fromkeys(["refund amount", "contract value", "monthly fee"], _dollars),
    **dict.fromkeys(["conversion rate", "churn rate", "discount", "growth target"], _percent),
    **dict.fromkeys(["deadline", "launch date", "next review", "renewal date"], _english_date),
    **dict.fromkeys(["contract number", "invoice number", "ticket id", "order number"], _code),
    **dict.fromkeys(["main server", "backup server", "log host"], _host),
    **dict.fromkeys(["release version", "app version", "driver version"], _version),
    **dict.fromkeys(
        ["project owner", "account manager", "team lead", "security reviewer"], _english_name
    ),
}
_FORMS: dict[Locale, tuple[str, ...]] = {
    "ko": (
        "{key}{은} {value}{이야}.",
        "참고로 {key}{은} {value}입니다.",
        "{key}: {value}",
        "우리 {key}{은} {value}{이야}. 기억해 줘.",
        "{key}{이} {value}{으로} 바뀌었어.",
        "{key}{을} {value}{으로} 변경해 줘.",
    ),
    "en": (
        "The {key} is {value}.",
        "Just so you know, our {key} is {value}.",
        "{key}: {value}",
        "The {key} is now {value}. Please remember that.",
        "We changed the {key} to {value}.",
        "Please set the {key} to {value}.",
    ),
}
# Forms that sound natural for names of people.
_FORMS_FOR_PEOPLE = {"ko": (0, 1, 2, 3, 4), "en": (0, 1, 2, 3)}
_FILLER: dict[Locale, tuple[str, ...]] = {
    "ko": (
        "네, 확인했습니다. 다른 궁금한 점이 있으면 말씀해 주세요.",
        "좋은 방향입니다. 팀과 공유하시면 도움이 되겠습니다.",
        "알겠습니다. 그 내용으로 이어서 진행하겠습니다.",
    ),
    "en": (
        "Understood. Let me know if there is anything else.",
        "That sounds reasonable. You may want to share it with the team.",
        "Noted, I will carry on with that.",
    ),
}


def planted(turns: int, locale: Locale, seed: int = 0) -> PlantedConversation:
    """Return a conversation in which each turn states a value, many of them again."""
    chance = random.Random(f"{seed}:{locale}:{turns}")
    makers = _KOREAN if locale == "ko" else _ENGLISH
    conversation: list[tuple[str, str]] = []
    stated: list[tuple[str, str]] = []
    values: dict[str, str] = {}
    for _ in range(turns):
        key = chance.choice(list(makers))
        value = makers[key](chance)
        people = makers[key] in (_korean_name, _english_name)
        forms = _FORMS_FOR_PEOPLE[locale] if people else range(len(_FORMS[locale]))
        form = _FORMS[locale][chance.choice(list(forms))]
        conversation.append((_filled(form, key, value), chance.choice(_FILLER[locale])))
        stated.append((key, value))
        values.pop(key, None)
        values[key] = value
    return PlantedConversation(tuple(conversation), tuple(stated), values)


def _filled(form: str, key: str, value: str) -> str:
    """Return the sentence with the right Korean particles."""
    closed, last = _is_closed(key), _is_closed(value)
    return form.format(
        key=key,
        value=value,
        은="은" if closed else "는",
        이="이" if closed else "가",
        을="을" if closed else "를",
        이야="이야" if last else "야",
        으로="으로" if last else "로",
    )


def _is_closed(word: str) -> bool:
    """Return whether a word ends in a consonant; digits and Latin letters as read in Korean."""
    end = word[-1]
    if "가" <= end <= "힣":
        return (ord(end) - 0xAC00) % 28 != 0
    return end in "013678lmnr"

"""Generate realistic conversations: questions about documents, follow-ups, decisions, greetings."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

SUBJECTS = (
    "예산 알림",
    "예약 인스턴스",
    "태그 정책",
    "비용 보고서",
    "권한 신청",
    "로그 보관",
    "서버 증설",
)
ASKING = (
    "{0}은 어떻게 설정하나요?",
    "{0}의 한도와 조건을 알려주세요",
    "{0} 절차를 단계별로 설명해줘",
    "How do I change the {0} settings for my team?",
    "{0} 때문에 지난달 비용이 얼마나 늘었는지 확인하는 방법이 있을까?",
)
FOLLOWING = ("그건 왜 그래?", "1월은?", "더 자세히 알려줘", "그럼 담당자는 누구야?", "예를 들어줘")
GREETING = ("안녕하세요", "고마워!", "hi there")
SETTLED = "우리 팀의 {0} 담당은 {1}로 정했어. 한도는 월 {2}만원이야."
NAMES = ("김서연", "이민수", "박지호", "최하은", "Mina Lee")
SESSION_TURNS = 10
WORDS = "비용 예산 알림 계정 권한 보고 태그 정책 지역 요금 전력 서버 저장 로그 한도 승인 절차 조건"


@dataclass(frozen=True, slots=True)
class Talker:
    """A user with one session after another; the seed decides the messages."""

    name: str
    chance: random.Random = field(repr=False)
    said: list[str] = field(default_factory=list[str])

    @property
    def session(self) -> str:
        return f"s{(len(self.said) - 1) // SESSION_TURNS}"

    def next(self) -> str:
        """Returns the next message: mostly questions, a fifth of them worth remembering."""
        subject = self.chance.choice(SUBJECTS)
        kind = self.chance.random()
        if kind < 0.2:
            name, sum_ = self.chance.choice(NAMES), self.chance.randint(10, 900)
            message = SETTLED.format(subject, name, sum_)
        elif kind < 0.35 and self.said:
            message = self.chance.choice(FOLLOWING)
        elif kind < 0.4:
            message = self.chance.choice(GREETING)
        else:
            message = self.chance.choice(ASKING).format(subject)
        self.said.append(message)
        return message


def talkers(count: int, seed: int) -> list[Talker]:
    return [Talker(f"user-{seed}-{n}", random.Random(seed * 1_000 + n)) for n in range(count)]


def handbook(chapters: int, seed: int = 5) -> Iterator[tuple[str, bytes]]:
    """Returns files of forty sections each."""
    chance = random.Random(seed)
    for number in range(chapters):
        parts = [f"# {chance.choice(SUBJECTS)} 안내 {number}\n"]
        for section in range(40):
            text = " ".join(chance.choices(WORDS.split(), k=70))
            subject = chance.choice(SUBJECTS)
            parts.append(f"\n## {subject} {number}.{section}\n\n{subject}: {text}입니다.\n")
        yield f"chapter-{number}.md", "".join(parts).encode()

import pytest

from saegim.chat.rules.intents import read
from saegim.text.intents import Intent

MESSAGES = {
    Intent.GREETING: """
안녕
안녕하세요!
ㅎㅇ
좋은 아침입니다
오랜만이에요~
hi
Hello there!
good morning
    """,
    Intent.THANKS: """
고마워!
감사합니다 도움이 많이 됐어요
ㄱㅅ
thanks a lot
that helped, thx
    """,
    Intent.FAREWELL: """
잘 자요
다음에 또 올게요
bye
see you tomorrow
    """,
    Intent.IDENTITY: """
너는 누구야? 뭘 할 수 있어?
자기소개 해줘
뭐 물어보면 돼?
who are you?
what can you do
    """,
    Intent.REMARK: """
오 그렇구나
ㅋㅋㅋ
밖에 비 온다
졸려
ok
interesting
it's raining
    """,
    Intent.COMPLAINT: """
이 서비스 왜 이렇게 느려 짜증나네
바보야
you're useless
this sucks
    """,
    Intent.CALCULATION: """
123 곱하기 45는?
17*23
what is 15% of 240?
12만원을 3명이서 나누면?
    """,
    Intent.CALENDAR: """
오늘 며칠이야?
사흘 뒤는 무슨 요일이지
what day is it?
지금 몇 시야
    """,
    Intent.HISTORY: """
방금 내가 물어본 게 뭐였지?
처음에 뭐라고 물어봤더라
지난주에 내가 뭐라고 했지?
what did I ask first?
what was my last question?
    """,
    Intent.PROFILE: """
나에 대해 아는 거 다 말해줘
저에 대해 뭘 기억하세요?
What do you know about me?
tell me everything you remember about me
    """,
    Intent.FORGET: """
필라테스 간다는 거 잊어줘
방금 한 말 잊어줘
Forget that I am allergic to peanuts.
please forget where I live
    """,
    Intent.UNDO: """
되돌려 줘
undo
    """,
    Intent.STATEMENT: """
나 판교로 출근해
저는 땅콩 알레르기가 있어요
아니 판교 말고 정자로 옮겼어
I live in Utrecht now
My name is Ben
    """,
    Intent.ABOUT_SELF: """
내가 어디서 일한다고 했지?
내 이름이 뭐라고?
나 뭐 못 먹지?
Where do I live?
what did I say I'm allergic to?
    """,
    Intent.QUESTION: """
팀 요금제는 한 달에 얼마야?
비즈니스는?
요금제 알려줘
내선 번호는요?
나오나요?
SUPRA XP 빨간불 들어왔어요
How much is the business plan?
plans
    """,
}


@pytest.mark.parametrize("intent", MESSAGES)
def test_intents_are_read(intent: Intent) -> None:
    found = {message: read(message).intent for message in MESSAGES[intent].strip().splitlines()}
    assert found == dict.fromkeys(found, intent)


def test_a_statement_before_a_question_is_kept_apart() -> None:
    reading = read("저는 판교에서 일해요. 팀 요금제는 한 달에 얼마예요?")
    assert reading.intent is Intent.QUESTION
    assert reading.statements == ("저는 판교에서 일해요.",)
    assert reading.question == "팀 요금제는 한 달에 얼마예요?"


@pytest.mark.parametrize(
    ("question", "by_tense"),
    [
        ("작년 매출이 얼마였어?", True),
        ("작년에 우리 회사 매출이 얼마였어?", True),
        ("해운대점은 목표를 몇 % 달성했나요?", True),
        ("비상 발전기는 최근에 언제 점검했나요?", True),
        ("주말에 뭐 하기로 했지?", False),
        ("내 작년 연봉이 얼마였지?", False),
        ("아까 말한 예산이 얼마였지?", False),
        ("우리 딸 이름이 뭐였지?", False),
    ],
)
def test_past_tense_alone_leaves_a_question_to_the_documents_too(
    question: str, by_tense: bool
) -> None:
    reading = read(question)

    assert reading.asks_memory
    assert reading.by_tense is by_tense

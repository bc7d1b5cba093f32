import pytest

from saegim.chat.rules.intents import read, request_of
from saegim.memory.opt_out import refusal_of
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
내 알레르기 정보 지워 주세요
방금 한 말 잊어줘
Forget that I am allergic to peanuts.
please forget where I live
    """,
    Intent.UNDO: """
되돌려 줘
undo
    """,
    Intent.LEAVE_OUT: """
이건 기억하지 마: 다음 달에 이사해
don't remember this: I quit
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


@pytest.mark.parametrize(
    "message",
    [
        "우유 사는 거 잊지 마",
        "don't forget that I like tea",
        "Please do not forget that I'm allergic to peanuts",
        "Never forget my peanut allergy",
        "Let's not forget the budget is 5000",
        "Did the client forget the budget?",
        "저는 약속을 자주 잊어요",
        "나는 사람 이름을 잘 잊어",
    ],
)
def test_don_t_forget_is_no_request_to_forget(message: str) -> None:
    assert read(message).intent is not Intent.FORGET
    assert request_of(message, "") is None
    assert refusal_of(message) is None


def test_a_statement_before_a_question_is_kept_apart() -> None:
    reading = read("저는 판교에서 일해요. 팀 요금제는 한 달에 얼마예요?")
    assert reading.intent is Intent.QUESTION
    assert reading.statements == ("저는 판교에서 일해요.",)
    assert reading.question == "팀 요금제는 한 달에 얼마예요?"


@pytest.mark.parametrize(
    "message",
    [
        "대시보드를 삭제하려면 어떻게 해?",
        "내 대시보드 삭제해줘",
        "비밀번호를 잊어버려서 로그인이 안 돼요",
        "How do I delete my dashboard?",
        "Delete my old reports, please",
        "What if I forget my password?",
        "remove my colleague from the project",
        "이 문단에서 중복되는 내용 빼줘",
        "메일에서 가격 얘기는 빼줘",
        "회의록에서 개인 정보는 삭제해줘",
        "예약한 거 취소해줘",
        "Remove the memory leak in this function",
    ],
)
def test_deleting_something_else_is_no_request_to_forget(message: str) -> None:
    assert read(message).intent is not Intent.FORGET
    assert request_of(message, "") is None


@pytest.mark.parametrize(
    "message",
    [
        "아까 말한 거 취소해줘",
        "지난 발표에서 말한 거 지워줘",
        "기억 목록에서 내 주소 지워줘",
        "would you forget what I said",
    ],
)
def test_what_was_said_is_forgotten(message: str) -> None:
    assert request_of(message, "") is Intent.FORGET


def test_only_forgetting_can_be_undone() -> None:
    assert request_of("되돌려 줘", "땅콩 알레르기 잊어줘") is Intent.UNDO
    assert request_of("취소해 줘", "내일 3시로 예약해 줘") is None


def test_a_request_to_forget_with_a_typing_error_is_no_statement() -> None:
    reading = read("수영 강습 얘기는 지워 주세여")
    assert (reading.intent, reading.statements) == (Intent.FORGET, ())


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

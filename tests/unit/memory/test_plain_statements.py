"""Plain sentences, written without a look at the patterns of the rules."""

from datetime import UTC, datetime

import pytest

from saegim.memory.candidate import CandidateMemory, Speaker
from saegim.memory.dates.resolution import dated
from saegim.memory.extraction.rule_reader import statements_of
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.types import CORE, MemoryType

# 03:37 on November 19 in Seoul.
SPEAKER = Speaker(datetime(2026, 11, 18, 18, 37, tzinfo=UTC), "Asia/Seoul")

ENGLISH = """
I'm allergic to peanuts.
I'm diabetic.
My name is Sarah.
I live in Berlin.
My deadline is next Friday.
I work at Hanbit Logistics.
I am a nurse.
I have two cats.
My dog's name is Bori.
My wife is vegetarian.
I drive a Tesla.
I was born in 1988.
My birthday is May 3.
I prefer short answers.
I moved to Lisbon last year.
My son is seven.
I play the cello.
I speak Korean and English.
My budget is 3 million won.
I take blood pressure medicine.
I'm left-handed.
My sister lives in Toronto.
I run every morning.
I don't drink coffee.
Our team has 14 people.
I study computer science.
We are getting married in June.
I use a MacBook.
My favourite colour is green.
I'm lactose intolerant.
I teach maths at a high school.
Our company is headquartered in Seoul.
We release every second Thursday.
I have a dentist appointment tomorrow at 3pm.
I'm pregnant.
I wear glasses.
My flight leaves on Friday at 9.
I have a degree in physics.
We bill our customers in Korean won.
Our office is on the fourth floor.
""".strip().splitlines()

KOREAN = """
저는 땅콩 알레르기가 있어요.
저는 당뇨가 있어요.
제 이름은 이서준이에요.
저는 베를린에 살아요.
마감은 다음 주 금요일이에요.
한빛물류에서 일해요.
저는 간호사예요.
고양이 두 마리를 키워요.
우리 강아지 이름은 보리예요.
아내는 채식주의자예요.
저는 테슬라를 타요.
1988년생이에요.
생일은 5월 3일이에요.
저는 짧은 답변이 좋아요.
작년에 부산으로 이사했어요.
아들은 일곱 살이에요.
첼로를 배우고 있어요.
영어랑 일본어를 할 줄 알아요.
예산은 300만원이에요.
혈압약을 먹고 있어요.
저는 왼손잡이예요.
누나는 토론토에 살아요.
매일 아침 달리기를 해요.
커피는 안 마셔요.
우리 팀은 14명이에요.
컴퓨터공학을 전공했어요.
6월에 결혼해요.
맥북을 써요.
유당불내증이 있어요.
저는 비건이에요.
우리 회사 본사는 서울에 있어요.
우리는 격주 목요일에 배포해요.
내일 오후 3시에 치과 예약이 있어요.
임신 중이에요.
부모님은 대구에 사세요.
글루텐을 못 먹어요.
우리는 고객에게 원화로 청구해요.
제가 결제팀 팀장이에요.
3월에 담배를 끊었어요.
3교대로 일해요.
""".strip().splitlines()

NOTHING = [
    "SUPRA XP 센서에 E17 떠요. 어떻게 해요",
    "AWS 비용이 안 떠요",
    "3월 2일에 결제했는데 3월 8일에 환불 돼요?",
    "왜 이렇게 느려요 위젯 하나 여는데 20초 걸림",
    "로그인이 안 돼요",
    "대시보드가 안 열려요",
    "결제가 두 번 됐어요",
    "E17 오류가 계속 나요",
    "파일이 안 올라가요",
    "제 계정이 잠겼어요",
    "I get a 429 error when calling the API",
    "The export button doesn't work",
    "I can't log in",
    "My dashboard keeps crashing",
    "Our sync has been failing since yesterday",
    "I was charged twice",
    "Sometimes I also get OperationalError…",
    "I want to reduce this memory leak",
    "Docker won't start on my laptop",
    "How do I reset my password?",
    "다시 설명해 줘",
    "Summarise this: The company moves to Busan in March. All staff must be there by April 1.",
    "Translate into Korean: I am allergic to peanuts.",
    "Please proofread this mail to my vet: Dear Dr Kim, my dog Bori is ill. I live in Busan.",
    "위 글을 다듬어 주세요. 저는 부산에 살고 강아지를 키웁니다.",
    "저는 부산에 삽니다. 이 문장 다듬어 줘",
    "나는 간호사다. 영어로 번역해줘.",
    "I am a nurse. Translate this to French please.",
    "Dear Mr Kim,\nI live in Busan and I am a nurse.\n\nTranslate to Korean.",
    "I live in Busan. I am a nurse. I have a dog. Please summarise the text.",
    "<title>Personal Budget Tracker</title>",
    "App.config['SECRET_KEY'] = 'secret_key'",
    "From flask import Flask, session",
    'print(login("user1", "password123"))',
    "@app.route('/dashboard')",
    "    my_home = 'I live in Berlin'",
    "```python\nmy_name = 'I live in Berlin'\nI am a nurse.\n```",
    "# ... 98 more transactions ...",
]

REPORT = """세 줄로 요약해 주세요
3분기 클라우드 비용은 전 분기보다 12% 늘었습니다.
우리 팀은 예약 인스턴스 비율을 40%까지 높이고 있습니다.
담당자는 김하늘 매니저입니다. 다음은 S3 수명 주기 정책이었습니다. 마감은 11월 30일입니다."""


def told(message: str, speaker: Speaker = SPEAKER) -> tuple[CandidateMemory, ...]:
    return tuple(statements_of(message, (), None, speaker))


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("message", [*ENGLISH, *KOREAN])
def test_plain_fact_is_kept_in_the_words_of_its_user(message: str) -> None:
    [fact] = told(message)
    assert fact.content.startswith(message.rstrip("."))


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("message", NOTHING)
def test_questions_faults_code_and_texts_to_work_on_are_no_memories(message: str) -> None:
    assert told(message) == ()


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("I'm allergic to peanuts. Can you translate the menu?", "I'm allergic to peanuts."),
        ("저 땅콩 알레르기 있어요. 이 메뉴 영어로 번역해 줘", "저 땅콩 알레르기 있어요."),
        ("My name is Minji. Write a mail to my boss.\nThanks", "My name is Minji."),
        ("I live in Berlin. Please fix this: def f(): pass", "I live in Berlin."),
        ("제 이름은 박민지예요. 교정해 주세요:\n저는 김철수입니다.", "제 이름은 박민지예요."),
    ],
)
def test_fact_before_a_task_is_kept(message: str, fact: str) -> None:
    assert [each.content for each in told(message)] == [fact]


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("times", [1, 4])
def test_pasted_report_is_no_memory_at_any_length(times: int) -> None:
    assert told("\n".join([REPORT] * times)) == ()


def test_code_around_a_fact_is_left_out() -> None:
    code = "\n".join(["```", "App.config['SECRET_KEY'] = 'x'", "Print(user)", "```"] * 20)
    [fact] = told(f"I live in Lisbon.\n{code}\n")
    assert fact.content == "I live in Lisbon."


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("The band is called Sunday Best.", "The band is called Sunday Best."),
        ("I read the Monday paper.", "I read the Monday paper."),
        ("우리 팀 이름은 금요일 클럽이야", "우리 팀 이름은 금요일 클럽이야"),
        (
            "치과는 2026년 11월 20일 금요일 오후 3시예요",
            "치과는 2026년 11월 20일 금요일 오후 3시예요",
        ),
        ("치과는 11월 20일 금요일 3시예요", "치과는 11월 20일 금요일 3시예요 (2026-11-20)"),
        ("내일 치과 예약 있어", "내일 치과 예약 있어 (2026-11-20)"),
        ("올해 5살이에요", "올해 5살이에요 (2026)"),
        ("I moved last month", "I moved last month (2026-10)"),
        ("지난주에 이사했어요", "지난주에 이사했어요 (2026-11-09/2026-11-15)"),
        ("It is due on Friday", "It is due on Friday (2026-11-20)"),
        ("My exam is day after tomorrow", "My exam is day after tomorrow (2026-11-21)"),
        ("다음다음 주 월요일에 시험이야", "다음다음 주 월요일에 시험이야 (2026-11-30)"),
        (
            "I am away from 3 to 7 December",
            "I am away from 3 to 7 December (2026-12-03, 2026-12-07)",
        ),
    ],
)
def test_days_stand_behind_the_words_and_never_instead_of_them(said: str, stored: str) -> None:
    once = dated(said, SPEAKER.said_at, SPEAKER.time_zone)
    assert once == stored
    assert dated(once, SPEAKER.said_at, SPEAKER.time_zone) == stored


@pytest.mark.parametrize("message", ["My favourite film is Friday.", "I love Christmas."])
def test_taste_has_no_day(message: str) -> None:
    [fact] = told(message)
    assert (fact.type, fact.content) == (MemoryType.PREFERENCE, message)


def test_clause_is_not_conjugated() -> None:
    first, second = told("저는 판교에 살고 있고 강아지를 키워요")
    assert (first.content, second.content) == ("저는 판교에 살고 있고", "강아지를 키워요")


@pytest.mark.requirement("LM4")
@pytest.mark.parametrize(
    ("message", "pinned"),
    [
        ("Always include version numbers when I ask about libraries.", True),
        ("Never use emojis in your answers.", True),
        ("Don't ever use emojis.", True),
        ("From now on, summarise in three bullets.", True),
        ("I want to be called MJ from now on", True),
        ("From now on the team is in Berlin.", False),
        ("앞으로는 항상 존댓말로 답해 주세요", True),
        ("I want to enable 60fps animation and tooltips", False),
        ("I want to visit Norway in summer", False),
        ("We can spend at most 300 dollars on this", False),
        ("I prefer short answers.", False),
    ],
)
def test_standing_instructions_are_pinned_and_passing_wishes_are_not(
    message: str, pinned: bool
) -> None:
    facts = extract_statements(message)
    assert any(CORE in fact.tags for fact in facts) is pinned
    assert facts or not pinned


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "I live in Busan, work as a FinOps analyst at Hanbit Logistics",
            ["I live in Busan", "Work as a FinOps analyst at Hanbit Logistics"],
        ),
        ("My name is Sarah and I work at Acme", ["My name is Sarah", "I work at Acme"]),
        ("판교에 사는 개발자예요", ["판교에 사는 개발자예요"]),
        (
            "저는 판교에 있는 네이버에서 일하는 개발자 이서준이에요",
            ["저는 판교에 있는 네이버에서 일하는 개발자 이서준이에요"],
        ),
    ],
)
def test_record_is_one_clause_in_the_words_of_its_user(message: str, facts: list[str]) -> None:
    assert [fact.content for fact in told(message)] == facts

import pytest

from saegim.chat.routing import carry_over, document_ids, hints_in
from saegim.chat.types import AssistantConfig
from saegim.chat.understanding import (
    depends_on_thread,
    is_greeting,
    is_statement_about_self,
    refers_back,
)
from saegim.library.rows import Vocabulary
from saegim.research.types import Hints

TYPES = ["myservice", "gcb", "sop"]


@pytest.mark.requirement("TN2")
@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("myservice 29392 설명해줘", [("myservice", "29392")]),
        ("GCB-123의 조치", [("gcb", "123")]),
        ("sop_77 보여줘", [("sop", "77")]),
        ("Sop77번 문서", [("sop", "77")]),
        ("gcb-1 gcb 2 GCB_3 gcb4", [("gcb", "1"), ("gcb", "2"), ("gcb", "3")]),
        ("SOP 3단계 알려줘", []),
        ("sop 2 steps", []),
        ("gcb 5개만", []),
        ("29392 설명해줘", []),
        ("xgcb-12", []),
        ("gcb-12a", []),
        ("sop 3.5 버전", []),
        ("gcb- 설명", []),
    ],
)
def test_document_ids_by_pattern(message: str, found: list[tuple[str, str]]) -> None:
    assert document_ids(message, TYPES) == found


@pytest.mark.requirement("TN1")
@pytest.mark.parametrize(
    "message", ["안녕", "안녕하세요!!", "ㅋㅋㅋ", "고마워요~", "Hi!", "thank you.", "👍"]
)
def test_greetings_pass_by(message: str) -> None:
    assert is_greeting(message)


@pytest.mark.parametrize(
    "message", ["안녕 EC2 비용 알려줘", "hi, how do I log in?", "감사 로그 설정", ""]
)
def test_questions_do_not(message: str) -> None:
    assert not is_greeting(message)


@pytest.mark.parametrize(
    "message", ["그 문서 더 자세히", "아까 그 가이드 다시", "tell me more", "위에서 말한 절차는?"]
)
def test_references_back(message: str) -> None:
    assert refers_back(message)


@pytest.mark.parametrize(
    "message", ["1월은?", "그럼 스팟은?", "is it free?", "그건 얼마야?", "what about Seoul"]
)
def test_messages_that_leave_out_what_they_are_about(message: str) -> None:
    assert depends_on_thread(message)


@pytest.mark.parametrize("message", ["EC2 비용 줄이는 방법?", "How do I reset my password?"])
def test_messages_that_stand_alone(message: str) -> None:
    assert not depends_on_thread(message)


@pytest.mark.parametrize(
    ("message", "telling"),
    [
        ("내 고양이 이름은 나비야", True),
        ("우리 AWS 비용은 한 달에 $12,500이야.", True),
        ("내 고양이 이름이 뭐였지?", False),
        ("우리 회사 비용 분석해줘", False),
        ("My cat is called Nabi.", True),
        ("EC2 비용 줄이는 방법", False),
        ("예산이 1억인 거 기억해줘", True),
    ],
)
def test_telling_is_not_asking(message: str, telling: bool) -> None:
    assert is_statement_about_self(message) is telling


LIBRARY = Vocabulary(
    {"supra xp": "SUPRA XP", "supra": "SUPRA", "pm2": "PM2", "ec2": "EC2"},
    frozenset({"ts", "sop", "guide"}),
)


@pytest.mark.requirement("TN11")
@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("SUPRA XP ts 문서", {"equipment": "SUPRA XP", "doc_type": "ts"}),
        ("supra xp에서 PM2 모듈 알람", {"equipment": "SUPRA XP", "module": "PM2"}),
        ("EC2를 줄이는 가이드", {"equipment": "EC2", "doc_type": "guide"}),
        ("매뉴얼 보여줘", {}),
        ("오늘 점심", {}),
    ],
)
def test_hints_come_from_the_librarys_own_tags(message: str, found: dict[str, str]) -> None:
    assert hints_in(message, LIBRARY, AssistantConfig()).as_json() == found


@pytest.mark.requirement("TN11")
def test_hints_are_kept_across_turns_the_newest_first() -> None:
    before = [Hints("SUPRA", None, "sop"), Hints("SUPRA XP")]
    assert carry_over(Hints(module="PM2"), before) == Hints("SUPRA XP", "PM2", "sop")

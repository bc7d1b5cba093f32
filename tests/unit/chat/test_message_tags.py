import pytest

from saegim.chat.routing import carry_over, document_ids, hints_in
from saegim.chat.types import AssistantConfig
from saegim.library.rows import Vocabulary
from saegim.research.types import Hints

TYPES = ["myservice", "gcb", "sop"]
LIBRARY = Vocabulary(
    {"supra xp": "SUPRA XP", "supra": "SUPRA", "pm2": "PM2", "ec2": "EC2"},
    frozenset({"ts", "sop", "guide"}),
)


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

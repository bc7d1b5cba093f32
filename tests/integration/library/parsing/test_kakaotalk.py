"""The forms that KakaoTalk writes: desktop and phone, Korean and English."""

import pytest

from saegim.domain.errors import Unreadable
from saegim.library.types import BlockKind
from tests.integration.library.parsing.reading import flat, read

PC_KOREAN = """\ufeff장비팀 3 님과 카카오톡 대화
저장한 날짜 : 2024-01-06 09:05:12

--------------- 2024년 1월 5일 금요일 ---------------
박영희님이 들어왔습니다.
[홍길동] [오후 3:05] SUPRA XP가 안 켜져요
어제부터요

2024년 1월 4일 금요일
[김철수/94/서울] [오후 3:06] 사진
[김철수/94/서울] [오후 3:07] [긴급] 전원을 확인하세요
--------------- 2024년 1월 6일 토요일 ---------------
[홍길동] [오전 12:10] 켜졌습니다
"""
PC_ENGLISH = """KakaoTalk Chats with Support
Date Saved : 2024-01-06 09:05:12

--------------- Friday, January 5, 2024 ---------------
[Hong] [3:05 PM] It does not start
since yesterday
[Kim] [3:06 PM] Photo
[Kim] [3:07 PM] Check the power
--------------- Saturday, January 6, 2024 ---------------
[Hong] [12:10 AM] It works
"""
ANDROID_KOREAN = """장비팀 님과 카카오톡 대화
저장한 날짜 : 2024년 1월 6일 오전 9:05


2024년 1월 5일 오후 3:05
2024년 1월 5일 오후 3:05, 홍길동 : 안 켜져요
어제부터요 : 진짜
2024년 1월 5일 오후 3:06, 김철수 : 이모티콘
2024년 1월 5일 오후 3:06, 박영희님이 나갔습니다.
2024년 1월 5일 오후 3:07, 김철수 : 전원을 확인하세요
2024년 1월 6일 오전 12:10
2024년 1월 6일 오전 12:10, 홍길동 : 켜졌습니다
"""
IOS_KOREAN = """장비팀 님과 카카오톡 대화
저장한 날짜 : 2024. 1. 6. 오전 9:05

2024년 1월 5일 금요일
2024. 1. 5. 오후 3:05, 홍길동 : 안 켜져요
어제부터요
2024. 1. 5. 15:07, 김철수 : 전원을 확인하세요
2024년 1월 6일 토요일
2024. 1. 6. 오전 12:10, 홍길동 : 켜졌습니다
"""
PHONE_ENGLISH = """KakaoTalk Chats with Support
Date Saved : Jan 6, 2024 at 9:05 AM

Friday, January 5, 2024
Jan 5, 2024 at 3:05\u202fPM, Hong : It does not start
since yesterday
January 5, 2024, 3:06 PM, Lee left this chatroom.
January 5, 2024, 3:07 PM, Kim : Check the power
Saturday, January 6, 2024
Jan 6, 2024 at 12:10 AM, Hong : It works
"""
TABLE = """Date,User,Message
2024-01-05 15:05:12,"홍길동","안 켜져요
어제부터요"
2024-01-05 15:06:00,"김철수","김철수님이 들어왔습니다."
2024-01-05 15:07:00,"김철수","전원을 ""확인""하세요"
2024-01-06 00:10:00,"홍길동","켜졌습니다"
"""


@pytest.mark.requirement("LB8")
@pytest.mark.parametrize(
    ("export", "name", "days", "first"),
    [
        (
            PC_KOREAN,
            "KakaoTalk_20240106.txt",
            ("2024년 1월 5일", "2024년 1월 6일"),
            """홍길동 (15:05): SUPRA XP가 안 켜져요
어제부터요

2024년 1월 4일 금요일
김철수/94/서울 (15:07): [긴급] 전원을 확인하세요""",
        ),
        (
            PC_ENGLISH,
            "chat.txt",
            ("January 5, 2024", "January 6, 2024"),
            "Hong (15:05): It does not start\nsince yesterday\nKim (15:07): Check the power",
        ),
        (
            ANDROID_KOREAN,
            "chat.txt",
            ("2024년 1월 5일", "2024년 1월 6일"),
            """홍길동 (15:05): 안 켜져요
어제부터요 : 진짜
김철수 (15:07): 전원을 확인하세요""",
        ),
        (
            IOS_KOREAN,
            "chat.txt",
            ("2024년 1월 5일", "2024년 1월 6일"),
            "홍길동 (15:05): 안 켜져요\n어제부터요\n김철수 (15:07): 전원을 확인하세요",
        ),
        (
            PHONE_ENGLISH,
            "chat.txt",
            ("January 5, 2024", "January 6, 2024"),
            "Hong (15:05): It does not start\nsince yesterday\nKim (15:07): Check the power",
        ),
        (
            TABLE,
            "chat.csv",
            ("2024년 1월 5일", "2024년 1월 6일"),
            """홍길동 (15:05): 안 켜져요
어제부터요
김철수 (15:07): 전원을 "확인"하세요""",
        ),
    ],
    ids=["pc-ko", "pc-en", "android-ko", "ios-ko", "phone-en", "csv"],
)
def test_every_form_of_export_gives_a_section_per_day(
    export: str, name: str, days: tuple[str, str], first: str
) -> None:
    document = read(export.replace("\n", "\r\n"), name)
    assert document.type == "chat"
    (day, blocks), (next_day, next_blocks) = flat(document)
    assert (day, next_day) == ((days[0],), (days[1],))
    assert blocks == [(BlockKind.PARAGRAPH, first)]
    assert next_blocks[0][1].startswith(("홍길동 (00:10): ", "Hong (00:10): "))


def test_the_room_and_its_people_are_kept_as_metadata() -> None:
    document = read(PC_KOREAN, "a.txt")
    assert document.title == "장비팀 3"
    assert document.metadata == {
        "file": "a.txt",
        "format": "kakaotalk",
        "room": "장비팀 3",
        "saved_at": "2024-01-06 09:05:12",
        "participants": "홍길동, 김철수/94/서울",
        "messages": "3",
        "first_day": "2024-01-05",
        "last_day": "2024-01-06",
    }


def test_windows_end_after_a_pause_and_after_a_dozen_messages() -> None:
    lines = ["팀 님과 카카오톡 대화", "저장한 날짜 : 2024-01-05 15:05:12", ""]
    lines.append("--------------- 2024년 1월 5일 금요일 ---------------")
    lines += [f"[홍길동] [오후 1:{minute:02}] {minute}번째 말" for minute in range(30)]
    lines += ["[김철수] [오후 5:00] 늦은 말"]
    ((_, blocks),) = flat(read("\n".join(lines), "a.txt"))
    assert [text.count("\n") + 1 for _, text in blocks] == [12, 12, 6, 1]


def test_an_export_is_known_by_its_messages_even_without_its_head() -> None:
    body = PC_KOREAN.split("\n", 3)[3]
    assert read(body, "무엇.md").metadata["format"] == "kakaotalk"


def test_a_text_that_quotes_one_message_is_not_an_export() -> None:
    text = "아래는 인용입니다.\n[홍길동] [오후 3:05] 안녕\n그 뒤로 글이 이어집니다.\n" * 2
    assert read(text, "a.txt").metadata["format"] == "text"


def test_an_export_of_pictures_only_is_empty() -> None:
    head = PC_KOREAN.partition("박영희")[0]
    with pytest.raises(Unreadable, match="empty"):
        read(f"{head}[홍길동] [오후 3:05] 사진\n[홍길동] [오후 3:06] 이모티콘\n", "a.txt")

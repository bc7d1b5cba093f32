import pytest

from saegim.domain.errors import Unreadable
from saegim.library.types import BlockKind
from tests.integration.library.parsing.reading import flat, read, reads_pictures, text_of

KOREAN = "안녕하세요. 이 문서는 장비의 설치 방법을 설명합니다.\n\n전원 버튼을 누르고 기다립니다.\n"
JAPANESE = "この文書はインストールの方法を説明します。電源ボタンを押してください。\n"
CHINESE = "这份文件说明安装方法。请按下电源按钮并等待。请联系客服中心。\n"
FRENCH = "Le café est fermé à midi; déjà vu, où êtes-vous?\n"
NO_PICTURE = "unsupported" if reads_pictures() else "no_recognition"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((KOREAN, name) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")),
        *((KOREAN, name) for name in ("cp949", "euc-kr", "utf-32")),
        (JAPANESE, "cp932"),
        (JAPANESE, "utf-8"),
        (CHINESE, "gb18030"),
        (FRENCH, "cp1252"),
        ("plain words in ASCII\n" * 3, "utf-16-le"),
    ],
)
def test_text_is_read_in_the_encoding_that_it_was_written_in(text: str, encoding: str) -> None:
    found = text_of(read(text.encode(encoding), "a.txt"))
    assert found.split() == text.split()


def test_a_syllable_outside_the_korean_standard_survives_cp949() -> None:
    text = KOREAN + "뷁, 햏, 똠방각하\n"
    assert text_of(read(text.encode("cp949"), "a.txt")).split() == text.split()


def test_a_file_cut_within_a_character_is_read_up_to_it() -> None:
    assert text_of(read(KOREAN.encode()[:-3], "a.txt")).startswith("안녕하세요.")
    assert text_of(read(KOREAN.encode("cp949")[:-4], "a.txt")).startswith("안녕하세요.")


def test_html_is_read_in_the_encoding_that_it_declares() -> None:
    page = f'<html><head><meta charset="euc-kr"></head><body><p>똠방 {KOREAN}</p></body></html>'
    assert text_of(read(page.encode("cp949"), "a.html")).startswith("똠방 안녕하세요.")
    wrong = page.replace("euc-kr", "no-such-encoding")
    assert text_of(read(wrong.encode("cp949"), "a.html")).startswith("똠방 안녕하세요.")


def test_plain_text_gives_paragraphs_steps_bullets_and_tables() -> None:
    text = """설치 안내입니다.

다음 순서로 합니다.
1. 전원을 켭니다.
   파란 불이 들어옵니다.
2. 로그인합니다.
 1) 아이디를 넣습니다.
 2) 비밀번호를 넣습니다.
3. 끝냅니다.

• 장갑
• 드라이버

이름\t값
전압\t220V

문의는 고객센터로.
"""
    ((path, blocks),) = flat(read(text, "a.txt"))
    assert path == ()
    assert blocks == [
        (BlockKind.PARAGRAPH, "설치 안내입니다."),
        (BlockKind.PARAGRAPH, "다음 순서로 합니다."),
        (
            BlockKind.STEPS,
            """1. 전원을 켭니다.
   파란 불이 들어옵니다.
2. 로그인합니다.
 1) 아이디를 넣습니다.
 2) 비밀번호를 넣습니다.
3. 끝냅니다.""",
        ),
        (BlockKind.LIST, "• 장갑\n• 드라이버"),
        (BlockKind.TABLE, "| 이름 | 값 |\n| --- | --- |\n| 전압 | 220V |"),
        (BlockKind.PARAGRAPH, "문의는 고객센터로."),
    ]


@pytest.mark.parametrize(
    "steps",
    [
        "① 전원을 끈다\n② 덮개를 연다",
        "1단계: 전원을 끈다\n2단계: 덮개를 연다",
        "Step 1: turn it off\nStep 2: open the cover",
        "(1) 전원을 끈다\n(2) 덮개를 연다",
        "1) 전원을 끈다\n\n2) 덮개를 연다",
    ],
)
def test_steps_are_known_however_they_are_numbered(steps: str) -> None:
    (block,) = read(f"{steps}\n", "a.txt").sections[0].blocks
    assert block.kind is BlockKind.STEPS


def test_numbers_that_do_not_count_up_are_no_steps() -> None:
    text = "2024. 1. 5. 회의\n10:30 시작\n3.5 V 이상\n7. 그 밖의 것\n"
    assert [block.kind for block in read(text, "a.txt").sections[0].blocks] == [BlockKind.PARAGRAPH]


def test_chapters_and_articles_of_a_rule_are_sections_and_articles_keep_their_words() -> None:
    text = """제1장 총칙

제1조(목적) 이 규정은 비용의 정산을 정한다.
제29조의2(특례) 제29조에도 불구하고 예외로 한다.

제2장 개요

제30조(시행) 공포한 날부터 시행한다.
"""
    assert flat(read(text, "규정.txt")) == [
        (
            ("제1장 총칙", "제1조(목적)"),
            [(BlockKind.PARAGRAPH, "제1조(목적) 이 규정은 비용의 정산을 정한다.")],
        ),
        (
            ("제1장 총칙", "제29조의2(특례)"),
            [(BlockKind.PARAGRAPH, "제29조의2(특례) 제29조에도 불구하고 예외로 한다.")],
        ),
        (
            ("제2장 개요", "제30조(시행)"),
            [(BlockKind.PARAGRAPH, "제30조(시행) 공포한 날부터 시행한다.")],
        ),
    ]


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "a.txt", "empty"),
        (b" \n\t ", "a.txt", "empty"),
        (b"\xef\xbb\xbf", "a.md", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.md", NO_PICTURE),
        (b"\x89PNG damaged picture", "a.md", "unsupported"),
        (b"half a picture", "a.png", "unsupported"),
        (b"MZ\x90\0\x03\0\0\0", "a.txt", "unsupported"),
        (b"{\\rtf1 }", "a.txt", "empty"),
        (bytes(range(256)) * 20, "a.txt", "unsupported"),
        (bytes(range(256)) * 20, "a.docx", "corrupt"),
        (b"<?xml version='1.0'?><feed><a>b</a></feed>", "a.xml", "unsupported"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.hwp", "corrupt"),
        (b"HWP Document File V3.00", "a.hwp", "legacy"),
    ],
)
def test_what_is_not_text_is_refused_with_a_reason(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, name)
    assert refusal.value.detail == reason


def test_a_text_that_begins_like_a_program_is_a_text() -> None:
    assert text_of(read("MZ세대는 새로운 소비를 이끈다고 한다. 그래서 주목받는다.", "a.txt"))
    assert text_of(read("BM25\n\nis a ranking function.", "a.txt")).startswith("BM25")


def test_content_decides_over_the_name() -> None:
    page = "<!doctype html><html><body><p>글</p><script>1</script></body></html>"
    assert read(page, "a.pdf").metadata["format"] == "html"
    assert read('[{"question": "왜?", "answer": "그냥"}]', "a.txt").metadata["format"] == "json"
    assert read("# 제목\n\n글", "a.docx").metadata["format"] == "text"

import json

import pytest

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits
from saegim.library.types import BlockKind, ParsedDocument
from tests.integration.library.parsing.reading import flat, read, read_all, text_of


def _told(document: ParsedDocument) -> tuple[str | None, str | None, str | None, str]:
    return document.outside_id, document.title, document.type, text_of(document)


FAQ = """번호,질문,답변,분류
7,환불은 어떻게 하나요?,"1. 신청서를 씁니다.
2. 이틀 기다립니다.",결제
8,언제 여나요?,<p>평일 <b>9시</b>입니다.</p>,운영
9,답이 없는 질문,,운영
10,그림뿐인 답,<p><img src=a></p>,운영
"""


@pytest.mark.requirement("LB1")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
def test_a_list_of_questions_is_a_document_per_row(encoding: str) -> None:
    documents = read_all(FAQ.encode(encoding), "faq.csv")
    assert [_told(document) for document in documents] == [
        (
            "7",
            "환불은 어떻게 하나요?",
            "faq",
            "환불은 어떻게 하나요?\n\n1. 신청서를 씁니다.\n2. 이틀 기다립니다.",
        ),
        ("8", "언제 여나요?", "faq", "언제 여나요?\n\n평일 9시입니다."),
    ]
    assert documents[0].sections[0].blocks[1].kind is BlockKind.STEPS
    assert documents[0].metadata == {"file": "faq.csv", "분류": "결제", "format": "csv"}


@pytest.mark.parametrize(
    ("heading", "body"),
    [
        ("질문", "답변"),
        ("Question", "Answer"),
        ("Q", "A"),
        ("question_text".removesuffix("_text"), "response"),
        ("제목", "내용"),
        ("title", "content"),
        ("문의 내용", "답변 내용"),
    ],
)
def test_columns_are_known_by_korean_and_english_names(heading: str, body: str) -> None:
    table = f"ID\t종류\t{heading}\t{body}\nA-1\tTS\t왜 안 켜지나요\t전원을 확인하세요\n"
    (document,) = read_all(table, "a.tsv")
    assert (document.outside_id, document.type, document.title) == ("A-1", "ts", "왜 안 켜지나요")


def test_rows_without_ids_are_named_by_their_question_wherever_they_stand() -> None:
    def ids(*questions: str) -> dict[str | None, str | None]:
        rows = [{"question": question, "answer": "답"} for question in questions]
        return {found.title: found.outside_id for found in read_all(json.dumps(rows), "a.json")}

    assert ids("하나", "둘") == ids("둘", "하나")
    twice = [{"q": "같은 질문", "a": text} for text in ("첫 답", "둘째 답")]
    first, second = (found.outside_id for found in read_all(json.dumps(twice), "a.json"))
    assert second == f"{first}-2"


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": 1, "title": "가", "text": "글"}, {"id": 2, "title": "나", "text": "말"}]',
        '{"faqs": [{"_id": "1", "title": "가", "text": "글"}, {"_id": "2", "text": "말"}]}',
        '{"_id": "1", "text": "글"}\n{"_id": "2", "text": "말"}\n',
    ],
)
def test_json_lists_in_a_list_in_an_object_and_by_line(text: str) -> None:
    documents = read_all(text, "a.jsonl")
    assert [document.outside_id for document in documents] == ["1", "2"]
    assert text_of(documents[1]).endswith("말")


def test_any_other_table_is_one_document_with_its_header() -> None:
    document = read("부품;주기\n필터;6개월\n벨트;1년\n", "a.csv")
    assert flat(document) == [
        (
            (),
            [(BlockKind.TABLE, "| 부품 | 주기 |\n| --- | --- |\n| 필터 | 6개월 |\n| 벨트 | 1년 |")],
        )
    ]


def test_any_other_json_is_a_listing_by_its_names() -> None:
    value = {"title": "설정", "server": {"port": 8080, "tls": True}, "names": ["가", "나"]}
    document = read(json.dumps(value), "a.json")
    assert document.title == "설정"
    assert flat(document) == [
        ((), [(BlockKind.LIST, "- title: 설정")]),
        (("server",), [(BlockKind.LIST, "- port: 8080\n- tls: true")]),
        (("names",), [(BlockKind.LIST, "- 가\n- 나")]),
    ]


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        ("[" * 100_000, "a.json", "corrupt"),
        ('{"a":' * 80 + "1" + "}" * 80, "a.json", "unsafe"),
        ('{"a": ', "a.json", "corrupt"),
        ("{}", "a.json", "empty"),
        ("질문,답변\n,\n", "a.csv", "empty"),
        ("a,b\n" + "x" * 5_000_000, "a.csv", "corrupt"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(data: str, name: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, name)
    assert refusal.value.detail == reason


def test_lists_beyond_the_limits_are_refused() -> None:
    with pytest.raises(Unreadable, match="too_large"):
        read_all(FAQ, "a.csv", ParseLimits(documents=3))
    with pytest.raises(Unreadable, match="too_large"):
        read_all(FAQ, "a.csv", ParseLimits(cells=15))

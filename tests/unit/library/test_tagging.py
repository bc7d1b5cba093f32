import time

import pytest

from saegim.library.splitting import NAMES, tag
from saegim.library.types import BlockKind, Tags


def _tags(text: str, *kinds: BlockKind) -> Tags:
    return tag(text, frozenset(kinds), None, ())


@pytest.mark.requirement("LB2")
@pytest.mark.parametrize(
    "text",
    [
        "1단계: 전원을 끕니다. 그리고 기다립니다.",
        "먼저 1 단계에서 끄고 2 단계에서 켭니다.",
        "먼저 전원을 끄고, 그다음 덮개를 엽니다.",
        "우선 로그아웃합니다. 마지막으로 다시 로그인합니다.",
        "순서\n1. 전원을 끈다\n2. 덮개를 연다",
        "순서\n(1) 전원을 끈다\n(2) 덮개를 연다",
        "① 전원을 끈다 ② 덮개를 연다",
        "Step 1: turn it off. Step 2: open it.",
        "First, turn it off. Then open the cover.",
        "1) Turn it off\n2) Open the cover",
    ],
)
def test_instructions_have_steps(text: str) -> None:
    assert _tags(text).has_steps


@pytest.mark.parametrize(
    "text",
    [
        "2단계 인증을 설정합니다.",
        "현재 3단계입니다.",
        "2024. 1. 5. 회의록입니다.",
        "이 장비는 먼저 나온 모델보다 조용합니다.",
        "The first release was in May. It was small.",
        "Step by step, it got better.",
        "1. 개요",
    ],
)
def test_other_texts_have_no_steps(text: str) -> None:
    assert not _tags(text).has_steps


def test_a_block_of_steps_or_a_table_says_so_itself() -> None:
    assert _tags("가. 하나", BlockKind.STEPS).has_steps
    assert _tags("값", BlockKind.TABLE).has_table
    assert _tags("| 가 | 나 |\n| --- | --- |\n| 1 | 2 |").has_table
    assert not _tags("a | b, c | d").has_table


@pytest.mark.requirement("LB2")
@pytest.mark.parametrize(
    "text",
    [
        "전원이 꺼진 경우 다시 켭니다.",
        "다음 조건을 만족해야 합니다.",
        "설치하려면 관리자 권한이 필요합니다.",
        "오류가 발생하면 다시 시도합니다.",
        "환불됩니다. 단, 7일이 지난 것은 제외합니다.",
        "다만, 예외가 있습니다.",
        "전원을 켜면 불이 들어옵니다.",
        "If the light is red, stop.",
        "Restart it when the update is done.",
        "Unless you pay, it ends.",
    ],
)
def test_conditions_are_found(text: str) -> None:
    assert _tags(text).has_conditions


@pytest.mark.parametrize(
    "text",
    [
        "화면의 측면과 표면을 닦습니다.",
        "라면을 먹습니다.",
        "무조건 환불합니다.",
        "단위는 볼트입니다.",
        "The whenua is land.",
    ],
)
def test_words_that_only_look_like_conditions_are_none(text: str) -> None:
    assert not _tags(text).has_conditions


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("EC2 비용을 AWS Cost Explorer에서 봅니다.", "ko"),
        ("The costs of EC2 in Seoul (서울).", "en"),
        ("220 | 60", "ko"),
    ],
)
def test_the_language_is_the_texts_or_where_it_has_none_its_titles(
    text: str, language: str
) -> None:
    assert tag(text, frozenset(), "규격표", ("전압과 주파수",)).language == language


@pytest.mark.requirement("LB2")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "SUPRA XP 장비의 EC2 비용은 AWS Cost Explorer에서, 절차는 gcb-123에 있습니다.",
            ("SUPRA XP", "EC2", "AWS Cost Explorer", "gcb-123"),
        ),
        ("제품명: 수프라 엑스피\n비고", ("수프라 엑스피",)),
        ("모델명: SM-G991N, 색상: 검정", ("SM-G991N",)),
        ("‘새김 라이트’ 요금제는 무료입니다.", ("새김 라이트",)),
        ("서비스 “구름 저장소”를 씁니다.", ("구름 저장소",)),
        ("갤럭시 플러스 사용자는 확인하세요.", ("갤럭시 플러스",)),
        ("PostgreSQL과 CloudWatch, iPhone 15 Pro", ("PostgreSQL", "CloudWatch", "iPhone 15 Pro")),
        ("RTX 4090 그래픽카드", ("RTX 4090",)),
        ("Open the Billing Dashboard and choose S3.", ("Billing Dashboard", "S3")),
        ("Amazon Web Services charges by the hour.", ("Amazon Web Services",)),
        ("Replace it as SOP_77 says, using Acme Pump.", ("SOP_77", "Acme Pump")),
    ],
)
def test_names_of_products_and_equipment_are_found(text: str, names: tuple[str, ...]) -> None:
    assert _tags(text).names == names


@pytest.mark.parametrize(
    "text",
    [
        "CPU와 PDF, HTTP API, UTF-8, A4 용지, F5 키, v1.2.3, IPv4, III장",
        "2024-01-05 오후 3:05, 10kg, 3.5V, 100%",
        "Click Save. Then open Settings. WARNING: Do NOT turn it off. AND THE DOG WAS HERE",
        "We met John Smith in New York on Monday. January was cold.",
        '‘확인’ 버튼을 누르고 "저장"을 고릅니다. 해당 제품은 좋습니다.',
        "https://aws.amazon.com/EC2/SUPRA-77 에서, help@EC2-77.com",
        "```\nEC2 = AWS(SUPRA)\n``` 그리고 `S3Client`",
        "이 장비는 먼저 나온 모델보다 조용합니다. 모든 서비스: 무료",
    ],
)
def test_what_only_looks_like_a_name_is_left_out(text: str) -> None:
    assert _tags(text).names in ((), ("무료",))


def test_names_above_the_passage_come_first_and_once() -> None:
    tags = tag("supra xp의 GCB-12를 봅니다.", frozenset(), "SUPRA XP 매뉴얼", ("3장 GCB-12 점검",))
    assert tags.names == ("SUPRA XP", "GCB-12")


def test_an_english_title_is_not_taken_for_a_name() -> None:
    assert (
        tag("text", frozenset(), "Getting Started With Billing", ("Your First Report",)).names == ()
    )


def test_names_are_few() -> None:
    assert len(_tags(" ".join(f"ABC-{number}" for number in range(100))).names) == NAMES


@pytest.mark.alone
def test_tags_take_linear_time() -> None:
    for text in (
        "먼저 " * 20_000,
        "A" * 200_000,
        "Ab " * 50_000,
        "a-1" * 50_000,
        "제품: " * 30_000,
    ):
        start = time.process_time()
        _tags(text)
        assert time.process_time() - start < 3

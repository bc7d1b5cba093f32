import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from saegim.library.splitting import CRUMB, HARD, LARGEST, SMALLEST, split
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection, PassageDraft
from saegim.text import tokens

PROPERTY = settings(deadline=None, max_examples=60)
_VOCABULARY = """
장비 점검 전원 필터 교체 주기 비용 분석 결제 계정 설정 화면 버튼 오류 코드 로그 서버 연결 상태 확인
EC2 S3 SUPRA report cost alarm
"""
WORDS = _VOCABULARY.split()


def _sentence(dice: random.Random) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(6, 14))) + "을 확인합니다."


def _paragraph(dice: random.Random, sentences: int = 4) -> Block:
    return Block(BlockKind.PARAGRAPH, " ".join(_sentence(dice) for _ in range(sentences)))


def _steps(dice: random.Random, count: int) -> Block:
    lines = (f"{number}. {_sentence(dice)}" for number in range(1, count + 1))
    return Block(BlockKind.STEPS, "\n".join(lines))


def _table(dice: random.Random, rows: int) -> Block:
    lines = [f"| {n} | {_sentence(dice)} |" for n in range(rows)]
    return Block(BlockKind.TABLE, "\n".join(["| 번호 | 설명 |", "| --- | --- |", *lines]))


def _document(*sections: list[Block]) -> ParsedDocument:
    return ParsedDocument(
        title="안내서",
        sections=tuple(
            ParsedSection((f"{number}장",), tuple(blocks)) for number, blocks in enumerate(sections)
        ),
    )


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _texts(drafts: list[PassageDraft]) -> list[str]:
    return [draft.text for draft in drafts]


def test_a_short_section_is_one_passage_as_it_stands() -> None:
    blocks = [Block(BlockKind.PARAGRAPH, "첫 문단.\n둘째 줄."), Block(BlockKind.LIST, "- 가\n- 나")]
    (draft,) = split(_document(blocks))
    assert draft.text == "첫 문단.\n둘째 줄.\n\n- 가\n- 나"
    assert draft.tokens == tokens.count(draft.text)
    assert draft.section == 0


def test_passages_of_a_long_section_keep_to_their_size() -> None:
    dice = random.Random(1)
    drafts = split(_document([_paragraph(dice, dice.randint(1, 5)) for _ in range(120)]))
    sizes = [draft.tokens for draft in drafts]
    assert max(sizes) <= LARGEST + CRUMB
    assert min(sizes) >= CRUMB
    assert sum(SMALLEST <= size <= LARGEST for size in sizes) >= 0.9 * len(sizes)


BLOCKS = st.builds(
    Block,
    st.sampled_from([BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.STEPS]),
    st.lists(
        st.sampled_from(
            ["전원을 끕니다. ", "1. 켭니다\n", "- 항목\n", "word ", "끝!\n\n", "가", "\n"]
        )
        | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40),
        min_size=1,
        max_size=300,
    ).map("".join),
).filter(lambda block: bool(block.text.strip()))


@PROPERTY
@given(st.lists(st.lists(BLOCKS, max_size=6), min_size=1, max_size=3))
def test_every_character_is_in_exactly_one_passage_in_order(sections: list[list[Block]]) -> None:
    document = _document(*sections)
    drafts = split(document)
    for number, blocks in enumerate(sections):
        found = "".join(draft.text for draft in drafts if draft.section == number)
        assert _squeezed(found) == _squeezed("".join(block.text for block in blocks))
    assert split(document) == drafts
    assert all(draft.tokens == tokens.count(draft.text) > 0 for draft in drafts)


def test_steps_and_tables_stay_whole_up_to_the_hard_limit() -> None:
    dice = random.Random(2)
    for make in (_steps, _table):
        whole = make(dice, 25)
        assert LARGEST < tokens.count(whole.text) < HARD
        blocks = [_paragraph(dice) for _ in range(6)]
        drafts = split(_document([*blocks[:3], whole, *blocks[3:]]))
        assert sum(whole.text in draft.text for draft in drafts) == 1


def test_steps_stay_with_the_line_that_introduces_them() -> None:
    dice = random.Random(3)
    for seed in range(20):
        dice.seed(seed)
        steps = _steps(dice, 12)
        intro = Block(BlockKind.PARAGRAPH, f"{_sentence(dice)} 다음과 같습니다:")
        drafts = split(_document([_paragraph(dice, 9), intro, steps, _paragraph(dice, 9)]))
        assert sum(f"{intro.text}\n\n{steps.text}" in draft.text for draft in drafts) == 1


def test_steps_beyond_the_hard_limit_are_cut_between_steps() -> None:
    steps = _steps(random.Random(4), 120)
    drafts = split(_document([steps]))
    assert len(drafts) > 2
    assert all(
        re.match(r"\d+\. ", text) and text.endswith("확인합니다.") for text in _texts(drafts)
    )
    assert "\n".join(_texts(drafts)) == steps.text
    assert all(draft.tokens <= LARGEST for draft in drafts)


def test_a_step_goes_with_what_is_indented_under_it() -> None:
    dice = random.Random(5)
    lines = [f"{n}. {_sentence(dice)}\n   - {_sentence(dice)}" for n in range(1, 61)]
    drafts = split(_document([Block(BlockKind.STEPS, "\n".join(lines))]))
    assert len(drafts) > 2
    assert all(re.match(r"\d+\. ", text) for text in _texts(drafts))


def test_a_large_table_is_cut_between_rows_and_says_its_header_again() -> None:
    table = _table(random.Random(6), 150)
    header = "| 번호 | 설명 |\n| --- | --- |\n"
    texts = _texts(split(_document([table])))
    assert len(texts) > 2
    assert all(text.startswith(header) and text.count("---") == 2 for text in texts)
    assert header + "\n".join(text.removeprefix(header) for text in texts) == table.text
    assert all(tokens.count(text) <= LARGEST + CRUMB for text in texts)


def test_large_code_is_cut_between_lines_and_fenced_again() -> None:
    dice = random.Random(7)
    code = "\n".join(f"call({n}, '{_sentence(dice)}')" for n in range(100))
    texts = _texts(split(_document([Block(BlockKind.CODE, f"```py\n{code}\n```")])))
    assert len(texts) > 2
    assert all(text.startswith("```py\ncall(") and text.endswith(")\n```") for text in texts)
    inner = (text.removeprefix("```py\n").removesuffix("\n```") for text in texts)
    assert "\n".join(inner) == code


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    dice = random.Random(8)
    paragraph = _paragraph(dice, 60)
    texts = _texts(split(_document([paragraph])))
    assert len(texts) > 2
    assert all(text.endswith("확인합니다.") for text in texts)
    assert " ".join(texts) == paragraph.text


@pytest.mark.parametrize("unit", ["가", "word ", "a"])
def test_a_text_without_any_border_is_cut_to_size(unit: str) -> None:
    text = (unit * 6_000).strip()
    drafts = split(_document([Block(BlockKind.PARAGRAPH, text)]))
    assert all(draft.tokens <= LARGEST + CRUMB for draft in drafts)
    assert "".join(_texts(drafts)).replace(" ", "") == text.replace(" ", "")


def test_a_section_does_not_depend_on_the_others() -> None:
    dice = random.Random(9)
    one, two, three = ([_paragraph(dice) for _ in range(15)] for _ in range(3))
    before = split(_document(one, two, three))
    after = split(_document([_paragraph(dice)], two, three[::-1]))
    assert [draft for draft in before if draft.section == 1] == [
        draft for draft in after if draft.section == 1
    ]


@pytest.mark.requirement("LB1")
@pytest.mark.parametrize("edit", ["change", "insert", "delete"])
def test_an_edit_changes_only_passages_near_it(edit: str) -> None:
    """Of some ninety passages of one section, two or three change; never more than five."""
    dice = random.Random(10)
    blocks = [_paragraph(dice, dice.randint(2, 5)) for _ in range(400)]
    before = split(_document(blocks))
    assert len(before) > 80
    changed: list[int] = []
    for place in range(5, 395, 39):
        edited = list(blocks)
        if edit == "change":
            edited[place] = replace(blocks[place], text=_paragraph(dice, 4).text)
        elif edit == "insert":
            edited.insert(place, _paragraph(dice, 3))
        else:
            del edited[place]
        after = split(_document(edited))
        fresh = Counter(_texts(after)) - Counter(_texts(before))
        changed.append(fresh.total())
    assert max(changed) <= 5
    assert sum(changed) / len(changed) <= 2.5


def test_a_row_put_on_top_of_a_large_table_leaves_the_rest_alone() -> None:
    table = _table(random.Random(11), 300)
    lines = table.text.split("\n")
    lines.insert(2, "| 새 | 줄입니다 |")
    before = _texts(split(_document([table])))
    after = _texts(split(_document([replace(table, text="\n".join(lines))])))
    assert len(set(after) - set(before)) <= 3 < len(after)


def test_a_section_without_text_has_no_passages() -> None:
    assert split(_document([])) == []


@pytest.mark.requirement("LB2")
def test_passages_are_tagged_by_their_blocks_and_what_stands_above() -> None:
    dice = random.Random(12)
    document = ParsedDocument(
        title="SUPRA XP 점검",
        sections=(ParsedSection(("2장 GCB-12",), (_steps(dice, 3), _table(dice, 2))),),
    )
    (draft,) = split(document)
    assert (draft.tags.has_steps, draft.tags.has_table) == (True, True)
    assert draft.tags.language == "ko"
    assert draft.tags.names[:2] == ("SUPRA XP", "GCB-12")

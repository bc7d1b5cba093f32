import pytest

from saegim.chat.types import summarise


@pytest.mark.requirement("WM7")
@pytest.mark.parametrize(
    ("answer", "summary"),
    [
        ("짧은 답", "짧은 답"),
        ("가" * 150, "가" * 150),
        ("가" * 151, "가" * 150 + "..."),
        ("가" * 100 + " " + "나" * 100, "가" * 100 + "..."),
        ("가" * 150 + " 나", "가" * 150 + "..."),
        ("여러\n줄의   답", "여러 줄의 답"),
    ],
)
def test_a_summary_is_cut_at_150_characters_at_a_space_where_there_is_one(
    answer: str, summary: str
) -> None:
    assert summarise(answer) == summary

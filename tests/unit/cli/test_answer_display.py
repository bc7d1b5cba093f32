import pytest

from saegim.cli.answer_display import split_finished


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("a line", ""),
        ("first\n\nsec", "first\n\n"),
        ("| a |\n| - |\n| 1 |", ""),
        ("```\ncode\n\nmore", ""),
        ("```\ncode\n\nmore\n```\n\nthen", "```\ncode\n\nmore\n```\n\n"),
    ],
)
def test_a_block_is_finished_by_an_empty_line_outside_of_code(text: str, finished: str) -> None:
    assert split_finished(text) == (finished, text.removeprefix(finished))

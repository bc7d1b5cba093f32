import pytest

from scripts.check_lengths import Function, functions_of, main, percentile, report

SOURCE = '''
@decorated
def short(): ...


class Thing:
    async def long(self):
        """Says."""

        def inner():
            return 1

        return inner
'''


def test_counts_methods_async_and_inner_functions_from_def_to_end() -> None:
    assert sorted(functions_of(SOURCE, "a.py")) == [
        Function(1, "short", "a.py:3"),
        Function(2, "inner", "a.py:10"),
        Function(7, "long", "a.py:7"),
    ]


@pytest.mark.parametrize(
    ("lengths", "expected"), [([], 0), ([7], 7), (range(1, 21), 19), (range(1, 101), 95)]
)
def test_percentile_is_a_length_that_occurs(lengths: list[int], expected: int) -> None:
    assert percentile(lengths, 0.95) == expected


def test_report_names_the_ten_longest_and_says_when_the_goal_is_missed() -> None:
    functions = [Function(lines, f"f{lines}", "a.py:1") for lines in range(40, 60)]
    *longest, verdict = report(functions)
    assert [line.split()[0] for line in longest] == [str(n) for n in range(59, 49, -1)]
    assert verdict == "20 functions, 95th percentile 58 lines: NOT under 45"


def test_our_own_code_is_read_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert "src/saegim/" in capsys.readouterr().out

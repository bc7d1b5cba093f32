from benchmarks.goals import Goal, ages, goals, overview
from benchmarks.page import PAGE


def test_the_page_shows_every_goal_with_the_figure_of_its_file() -> None:
    assert f"<!-- goals: begin -->\n{overview()}\n<!-- goals: end -->" in PAGE.read_text("utf-8"), (
        "run make bench-goals"
    )


def test_the_page_shows_the_age_of_every_file() -> None:
    assert f"<!-- ages: begin -->\n{ages()}\n<!-- ages: end -->" in PAGE.read_text("utf-8"), (
        "run make bench-goals"
    )


def test_every_goal_has_one_bound() -> None:
    assert all((each.least is None) is not (each.most is None) for each in goals())


def test_a_goal_is_reached_at_its_bound() -> None:
    assert Goal("load", "x", least=0.8).is_reached(0.8)
    assert not Goal("load", "x", least=0.8).is_reached(0.79)
    assert Goal("load", "x", most=0.0).is_reached(0.0)
    assert not Goal("load", "x", most=0.0).is_reached(1.0)

"""The scenarios that are shipped, and what a scenario file may hold."""

from pathlib import Path

import pytest

from saegim.evaluation.scenario import Scenario, chosen, read, shipped

KINDS = {
    "continued_conversation",
    "change_of_topic",
    "updated_information",
    "contradiction",
    "implicit_reference",
    "long_gap",
    "several_profiles",
    "erasure",
    "injection",
}


def messages(scenario: Scenario) -> list[str]:
    return [message for step in scenario.steps if (message := step.say or step.ask)]


@pytest.mark.requirement("EV2")
def test_every_kind_is_there_in_korean_and_english() -> None:
    assert {(each.kind, each.language) for each in shipped()} == {
        (kind, language) for kind in KINDS for language in ("ko", "en")
    }


@pytest.mark.requirement("EV2")
@pytest.mark.parametrize("scenario", shipped(), ids=lambda each: each.id)
def test_a_scenario_has_ten_to_twenty_turns_and_something_to_judge(scenario: Scenario) -> None:
    assert 10 <= scenario.turns <= 20
    assert any(step.ask for step in scenario.steps)


@pytest.mark.requirement("EV2")
def test_the_specified_scenarios_are_verbatim() -> None:
    found = {each.id: messages(each) for each in shipped()}
    continued = found["ko_continued_conversation"]
    assert continued[:3] == [
        "AWS 비용이 1.2억이에요",
        "예산은 1억이에요",
        "RI 커버리지는 60%예요",
    ]
    assert (len(continued), continued[9]) == (10, "아까 말한 예산 초과 상황 다시 설명해줘")
    topic = found["ko_change_of_topic"]
    assert (len(topic), topic[10]) == (11, "처음에 말한 AWS 비용이 얼마였지?")
    assert "거버넌스" in topic[5]
    updated = found["ko_updated_information"]
    assert (updated[0], updated[4]) == ("예산이 1억이에요", "예산이 1.5억으로 늘었어요")
    assert (len(updated), updated[9]) == (10, "현재 예산이 얼마야?")
    [asked] = [step for step in chosen(["ko_updated_information"])[0].steps if step.ask]
    assert (asked.facts[0].value, asked.facts[0].stale) == (("1.5억",), ("1억",))


def test_scenarios_are_chosen_by_id_or_kind() -> None:
    assert [each.id for each in chosen(["erasure"])] == ["en_erasure", "ko_erasure"]
    assert [each.id for each in chosen(["ko_erasure"])] == ["ko_erasure"]
    assert chosen([]) == shipped()
    with pytest.raises(ValueError, match="nothing_like_it"):
        chosen(["nothing_like_it"])


@pytest.mark.parametrize(
    "step",
    [
        '{ say = "하나", ask = "둘" }',
        "{ }",
        '{ ask = "기대하는 것이 없다" }',
        '{ say = "말", absent = ["값"] }',
        '{ say = "말", typo = true }',
        "{ wait_days = -1 }",
    ],
)
def test_a_step_that_makes_no_sense_is_refused(step: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    head = 'title = "t"\nlanguage = "ko"\nkind = "erasure"\n'
    path.write_text(f"{head}steps = [{step}]", "utf-8")
    with pytest.raises(ValueError, match="step"):
        read(path)
    path.write_text(f'{head}steps = [{{ say = "말" }}]', "utf-8")
    assert read(path).id == "mine"

import pytest

from saegim.llm.prompts import Prompt, load
from saegim.llm.types import Message

SAMPLE = "tests.unit.llm.sample_feature"


def test_a_prompt_file_is_loaded_with_its_version():
    prompt = load(SAMPLE, "greet")

    assert (prompt.name, prompt.version, prompt.label) == ("greet", 3, "greet/3")
    assert prompt.text.startswith("You help {{name}}.")
    assert load(SAMPLE, "greet") is prompt


def test_a_prompt_file_without_a_version_is_refused():
    with pytest.raises(ValueError, match="version"):
        load(SAMPLE, "unversioned")


def test_placeholders_are_filled_and_other_braces_are_text():
    text = load(SAMPLE, "greet").render(name="지민", notes="없음")

    assert text.startswith('You help 지민. Answer as {"ok": true}, never as {{ name }} or {x}.')
    assert text.endswith("Notes: 없음 지민")


def test_a_value_is_inserted_as_it_is_and_never_read_as_a_template():
    prompt = Prompt("p", 1, "{{first}}|{{second}}")

    assert prompt.render(first=r"{{second}} \1 \g<0>", second="b") == r"{{second}} \1 \g<0>|b"


@pytest.mark.parametrize("values", [{}, {"name": "a", "other": "b"}, {"other": "b"}])
def test_missing_and_unused_values_are_refused(values: dict[str, str]):
    with pytest.raises(ValueError, match="prompt p/1: missing"):
        Prompt("p", 1, "for {{name}}").render(**values)


def test_a_rendered_prompt_becomes_a_step_prompt_that_names_its_version():
    messages = (Message("user", "안녕"),)

    prompt = Prompt("answer", 2, "Be {{tone}}.").step(messages, tone="kind")

    assert (prompt.system, prompt.messages, prompt.version) == ("Be kind.", messages, "answer/2")

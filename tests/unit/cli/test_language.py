import string
from types import ModuleType

import pytest

from saegim.cli.language import Text, choose
from saegim.cli.texts import common as texts, doctor_texts, session_texts


def texts_of(module: ModuleType) -> list[Text]:
    tables = [table for table in vars(module).values() if isinstance(table, dict)]
    found = [*vars(module).values(), *(text for table in tables for text in table.values())]
    return [text for text in found if isinstance(text, Text)]


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


ALL = [text for module in (texts, doctor_texts, session_texts) for text in texts_of(module)]


@pytest.mark.parametrize("text", ALL, ids=lambda text: text.en)
def test_both_languages_take_the_same_values(text: Text) -> None:
    assert text.ko
    assert text.en
    assert places(text.ko) == places(text.en)


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.eucKR"}, "ko"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": ""}, "ko"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"}, "ko"),
        ({"LC_ALL": "en_US.UTF-8", "SAEGIM_LANG": "ko"}, "ko"),
        ({"LC_ALL": "ko_KR.UTF-8", "SAEGIM_LANG": "en"}, "en"),
    ],
)
def test_the_first_variable_that_is_set_decides(environment: dict[str, str], locale: str) -> None:
    assert choose(environment) == locale

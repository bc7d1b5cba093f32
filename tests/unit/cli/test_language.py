import pytest

from saegim.cli.language import choose


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

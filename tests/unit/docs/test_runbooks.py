"""Each runbook exists in both languages, and names tests, commands and alerts that exist."""

import re
from pathlib import Path

import pytest
import typer

from saegim.cli.main import app

ROOT = Path(__file__).parents[3]
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))
ALERTS = (ROOT / "deploy" / "prometheus" / "alerts.yml").read_text("utf-8")
KOREAN_NAMES = {
    "Upgrade": "업그레이드",
    "Restore": "복원",
    "Fail over": "장애 조치",
    "Move a tenant": "테넌트 이동",
    "Export a tenant": "테넌트 내보내기",
    "Reindex": "색인 재구축",
    "Re-embed": "임베딩 모델 변경",
    "Provider outage": "모델 제공자 장애",
    "Backlog": "작업 적체",
    "Erase a user": "사용자 데이터 삭제",
    "Rotate keys": "키 교체",
}


def page(name: str) -> str:
    return (ROOT / "docs" / "how-to" / name).read_text("utf-8")


ENGLISH = dict(SECTION.findall(page("runbooks.md")))
KOREAN = dict(SECTION.findall(page("runbooks.ko.md")))
RUNBOOKS = [
    pytest.param(text, marker, id=name)
    for sections, marker in ((ENGLISH, "Tested by:"), (KOREAN, "검증:"))
    for name, text in sections.items()
]


def commands() -> set[str]:
    """All commands, with the groups they are in."""
    root = typer.main.get_command(app)
    names = set[str]()
    for name, command in root.commands.items():  # type: ignore[attr-defined]  # it is a group
        names |= {f"{name} {inner}" for inner in getattr(command, "commands", ())} or {name}
    return names


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_every_runbook_exists_in_both_languages() -> None:
    assert list(ENGLISH) == list(KOREAN_NAMES)
    assert list(KOREAN) == list(KOREAN_NAMES.values())


@pytest.mark.parametrize("name", sorted(KOREAN_NAMES))
def test_both_languages_name_the_same_commands_and_settings(name: str) -> None:
    assert sorted(code(ENGLISH[name])) == sorted(code(KOREAN[KOREAN_NAMES[name]]))
    assert len(re.findall(r"[가-힣]", ENGLISH[name])) == 0
    assert len(re.findall(r"[가-힣]", KOREAN[KOREAN_NAMES[name]])) > 50


@pytest.mark.parametrize(("text", "marker"), RUNBOOKS)
def test_tests_and_targets_that_exercise_a_runbook_exist(text: str, marker: str) -> None:
    _, separator, rehearsals = text.partition(marker)
    assert separator
    named = code(rehearsals)
    assert named
    for each in named:
        if each.startswith("make "):
            assert each.removeprefix("make ") in TARGETS, each
        else:
            assert (ROOT / each).is_file(), each


@pytest.mark.parametrize(("text", "marker"), RUNBOOKS)
def test_commands_of_a_runbook_exist(text: str, marker: str) -> None:
    del marker
    existing = commands()
    for named in re.findall(r"`saegim ([a-z][a-z -]*?)(?: [A-Z\-–|{].*?)?`", text):
        assert any(named == one or named.startswith(f"{one} ") for one in existing), named


@pytest.mark.parametrize("name", ["runbooks.md", "runbooks.ko.md"])
def test_every_alert_leads_to_a_runbook(name: str) -> None:
    alerts = set(re.findall(r"- alert: (\w+)", ALERTS))
    assert set(re.findall(r"`(Saegim\w+)`", page(name).partition("\n## ")[0])) == alerts

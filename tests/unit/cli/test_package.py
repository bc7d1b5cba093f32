"""The package that users install, built as `uv build` does: a wheel from the sdist."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.acceptance.dev.home import clean_environment

REPOSITORY = Path(__file__).parents[3]
# Sources, and what `make web` builds into them.
PARTS = ("cli/demo/documents", "web/static", "locales", "offline")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a wheel that was built from the sdist."""
    folder = tmp_path_factory.mktemp("package")
    build(REPOSITORY, "sdist", folder)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    build(folder / sdist.name.removesuffix(".tar.gz"), "wheel", folder)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def build(project: Path, target: str, folder: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)


def files_in(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix() for path in found}


@pytest.mark.parametrize("part", PARTS)
def test_a_wheel_built_through_the_sdist_has_all_files(package: Path, part: str) -> None:
    expected = files_in(REPOSITORY / "src/saegim" / part)
    assert expected
    assert files_in(package / "saegim" / part) == expected


@pytest.mark.parametrize("command", [("demo",), ("dev", "--demo", "--port", "0")])
def test_a_package_without_demo_documents_says_so(
    package: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    shutil.copytree(package, tmp_path / "installed")
    shutil.rmtree(tmp_path / "installed/saegim/cli/demo/documents")
    done = subprocess.run(
        [sys.executable, "-m", "saegim.cli.main", *command],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(tmp_path / "installed"), SAEGIM_KEY="any"),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert "has no demo documents" in done.stderr

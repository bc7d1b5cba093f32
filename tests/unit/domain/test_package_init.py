from importlib import import_module
from pathlib import Path

import pytest

from saegim.domain.package_init import skip_package_init


def test_a_submodule_is_imported_without_the_init_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_package").mkdir()
    (tmp_path / "slow_package" / "__init__.py").write_text("raise RuntimeError('slow')")
    (tmp_path / "slow_package" / "wanted.py").write_text("VALUE = 7")
    monkeypatch.syspath_prepend(tmp_path)

    skip_package_init("slow_package")
    skip_package_init("slow_package")

    assert import_module("slow_package.wanted").VALUE == 7


def test_a_package_that_is_not_installed_is_left_alone() -> None:
    skip_package_init("no_such_package_anywhere")
    with pytest.raises(ModuleNotFoundError):
        import_module("no_such_package_anywhere")

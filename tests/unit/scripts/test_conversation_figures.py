"""Figures of the conversation benchmark: what is recorded, and under which commit."""

from pathlib import Path

import saegim
from benchmarks.conversation.__main__ import is_own_code
from benchmarks.results import ROOT


def test_figures_are_recorded_for_the_code_of_this_copy_only(tmp_path: Path) -> None:
    assert is_own_code(Path(saegim.__file__))
    assert not is_own_code(tmp_path / "src" / "saegim" / "__init__.py")
    assert not is_own_code(ROOT.parent / "other" / "src" / "saegim" / "__init__.py")
    assert not is_own_code(ROOT / ".venv" / "lib" / "saegim" / "__init__.py")

"""Result files name the commit that each figure was measured on."""

import json
import re
from pathlib import Path

from benchmarks import page, results
from saegim import __version__


def test_a_partial_run_keeps_the_commit_of_the_figures_it_did_not_measure(tmp_path: Path) -> None:
    old = {"version": "0.2.0", "commit": "0ld0ld0", "at": "2026-01-01T00:00:00+00:00"}
    older = {"version": "0.1.0", "commit": "01der00", "at": "2025-01-01T00:00:00+00:00"}
    (tmp_path / "turn.json").write_text(
        json.dumps(
            {
                "figures": {"quality": 0.8, "speed": 100.0, "size": 5.0},
                "configuration": {"at": old["at"]},
                "version": old["version"],
                "commit": old["commit"],
                "earlier": {"size": older},
            }
        )
    )

    path = results.merge("turn", {"speed": 90.0, "new": 1.0}, {"measured": "speed"}, tmp_path)

    written = json.loads(path.read_text())
    assert written["figures"] == {"quality": 0.8, "speed": 90.0, "size": 5.0, "new": 1.0}
    assert written["earlier"] == {"quality": old, "size": older}
    assert written["version"] == __version__
    assert written["commit"] != old["commit"]
    assert isinstance(written["dirty"], bool)


def test_a_whole_run_replaces_every_figure(tmp_path: Path) -> None:
    results.write("load", {"a": 1.0, "b": 2.0}, {}, tmp_path)
    path = results.write("load", {"a": 3.0}, {}, tmp_path)
    written = json.loads(path.read_text())
    assert written["figures"] == {"a": 3.0}
    assert "earlier" not in written


def test_every_figure_that_is_published_has_a_place_below_its_command() -> None:
    """`publish` raises after the run is over; a missing place is found before it."""
    published = {
        name
        for folder in ("benchmarks", "tests/acceptance")
        for path in (results.ROOT / folder).rglob("*.py")
        for name in re.findall(r'publish\("([a-z_]+)", [^\n]*\)\)\n', path.read_text("utf-8"))
    }
    text = page.PAGE.read_text("utf-8")
    assert {"overload", "stalls", "authorisation", "filter", "injection"} <= published
    for name in published:
        before, found, after = text.partition(f"<!-- {name}: begin -->")
        assert found, name
        assert f"<!-- {name}: end -->" in after, name
        assert re.search(r"`make (verify|bench|eval)-", before), name

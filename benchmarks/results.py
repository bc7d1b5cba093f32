"""Write the result of a benchmark: flat figures, configuration, version and commit."""

import json
import os
import platform
import subprocess
import timeit
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from saegim import __version__

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def write(
    name: str,
    figures: Mapping[str, float],
    configuration: Mapping[str, Any],
    folder: Path = RESULTS,
) -> Path:
    """Write `benchmarks/results/NAME.json`, replacing all of its figures."""
    return _save(folder / f"{name}.json", figures, configuration, earlier={})


def merge(
    name: str,
    figures: Mapping[str, float],
    configuration: Mapping[str, Any],
    folder: Path = RESULTS,
) -> Path:
    """Writes the figures of a partial run; others keep their values, commits and dates.

    `earlier` in the file names the version, commit and time of every figure that was kept.
    """
    path = folder / f"{name}.json"
    before = _load(path)
    stamps = before.get("earlier", {})
    stamp = {
        "version": before.get("version", ""),
        "commit": before.get("commit", ""),
        "at": before.get("configuration", {}).get("at"),
    }
    kept = {key: value for key, value in before.get("figures", {}).items() if key not in figures}
    earlier = {key: stamps.get(key, stamp) for key in kept}
    # Keep the order of the file, so that a partial run changes few lines.
    merged = before.get("figures", {}) | dict(figures)
    return _save(path, merged, configuration, earlier)


def measured_with(name: str) -> dict[str, str]:
    """Returns the version of the code that each figure in the file was measured with."""
    document = _load(RESULTS / f"{name}.json")
    earlier = document.get("earlier", {})
    return {
        figure: earlier.get(figure, document)["version"] for figure in document.get("figures", {})
    }


def known(name: str) -> dict[str, float]:
    """Returns the figures in the file."""
    return _load(RESULTS / f"{name}.json").get("figures", {})


def _save(
    path: Path,
    figures: Mapping[str, float],
    configuration: Mapping[str, Any],
    earlier: Mapping[str, Mapping[str, Any]],
) -> Path:
    document: dict[str, Any] = {
        "figures": dict(figures),
        "configuration": {
            "machine": f"{platform.machine()}, {_cores()} cores",
            "python": platform.python_version(),
            "loop_ms": _loop_ms(),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            **configuration,
        },
        "version": __version__,
        "commit": _git("rev-parse", "--short", "HEAD"),
        "dirty": _dirty(),
    }
    if earlier:
        document["earlier"] = dict(earlier)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    return path


def _loop_ms() -> float:
    """Returns the time of a million additions: rented machines differ fourfold, even from day to
    day."""
    times = timeit.repeat("for i in range(1_000_000): x += i & 7", "x = 0", number=1, repeat=3)
    return round(1000 * min(times), 1)


def _load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}


def _dirty() -> bool:
    """Whether code differs from the commit; figures and the pages that quote them may differ."""
    changed = _git("status", "--porcelain", "--", "src", "benchmarks", "pyproject.toml", "uv.lock")
    return any("benchmarks/results/" not in line for line in changed.splitlines())


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
    ).stdout.strip()


def _cores() -> int:
    return len(os.sched_getaffinity(0))

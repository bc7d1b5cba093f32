"""Writes what a benchmark or a proof measured: flat figures, the configuration, the commit."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def write(name: str, figures: Mapping[str, float], configuration: Mapping[str, Any]) -> Path:
    """`benchmarks/results/NAME.json`."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    path = RESULTS / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(
            {
                "figures": dict(figures),
                "configuration": {
                    "machine": f"{platform.machine()}, {_cores()} cores",
                    "python": platform.python_version(),
                    "at": datetime.now(UTC).isoformat(timespec="seconds"),
                    **configuration,
                },
                "commit": commit,
            },
            ensure_ascii=False,
            indent=2,
        )
        + "\n"
    )
    return path


def known(name: str) -> dict[str, float]:
    """The figures that are written already."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text())["figures"] if path.exists() else {}


def _cores() -> int:
    return len(os.sched_getaffinity(0))

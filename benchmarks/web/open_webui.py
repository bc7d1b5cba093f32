"""Weight of the chat page of Open WebUI, from the wheel it publishes."""

import gzip
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from benchmarks.results import ROOT

PACKAGE = "open-webui"
FRONTEND = "open_webui/frontend/_app/immutable"
# The chat page: the root layout, the layout of the application, and its first page.
ROUTE = "/(app)"
ROOT_LAYOUT = 0
_IMPORT = re.compile(r'(?:import|export)\s*(?:[^"\'();]*?from\s*)?"(\.{1,2}/[^"]+\.js)"')
_ROUTE = re.compile(rf'"{re.escape(ROUTE)}":\[(\d+),\[([\d,]+)\]')
_FILES = re.compile(r'=(\["\.\./.*?\])', re.DOTALL)


def measure() -> dict[str, float]:
    """Return the gzipped size of the scripts and styles that the page imports before it shows."""
    with TemporaryDirectory(prefix="saegim-peer-") as folder:
        at = Path(folder)
        command = "run --no-project --with pip python -m pip download --quiet --no-deps"
        uv = ROOT / "scripts" / "uv"
        subprocess.run([uv, *command.split(), PACKAGE], cwd=at, check=True)
        [wheel] = at.glob("*.whl")
        print(wheel.name)
        with ZipFile(wheel) as archive:
            archive.extractall(
                at, [each for each in archive.namelist() if each.startswith(FRONTEND)]
            )
        return {"open_webui.first_load_kb_gz": round(_weight(at / FRONTEND) / 1000, 1)}


def _weight(root: Path) -> int:
    [app] = root.glob("entry/app.*.js")
    text = app.read_text("utf-8")
    route = _ROUTE.search(text)
    listed = _FILES.search(text)
    assert route, "the route of the chat page"
    assert listed, "the list of files"
    numbers = [ROOT_LAYOUT, *map(int, route[2].split(",")), int(route[1])]
    nodes = [next(root.glob(f"nodes/{number}.*.js")) for number in numbers]
    scripts = dict[Path, None]()
    for entry in (*root.glob("entry/*.js"), *nodes):
        _follow(entry.resolve(), scripts)
    files = re.findall(r'"([^"]+)"', listed[1])
    styles = {
        (app.parent / files[int(index)]).resolve()
        for node in nodes
        if (needs := re.search(rf'{re.escape(node.name)}"\),[^)]*?\(\[([\d,]+)\]', text))
        for index in needs[1].split(",")
        if files[int(index)].endswith(".css")
    }
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in (*scripts, *styles))


def _follow(script: Path, seen: dict[Path, None]) -> None:
    """Add a script and all that it imports at once."""
    if script in seen or not script.exists():
        return
    seen[script] = None
    for match in _IMPORT.finditer(script.read_text("utf-8")):
        _follow((script.parent / match[1]).resolve(), seen)

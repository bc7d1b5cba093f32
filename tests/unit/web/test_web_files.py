"""The web app's own files: whole in both languages, licensed, and every page with its policy."""

import json
import re
from pathlib import Path

from fastapi.routing import APIRoute

from saegim.web import app, assets, page_policy, texts

WEB = Path(app.__file__).parent
STATIC = WEB / "static"
FORBIDDEN = re.compile(r"innerHTML|insertAdjacentHTML|document\.write|eval\(")


def test_every_text_of_a_template_is_there_in_both_languages() -> None:
    used: set[str] = set()
    for template in (WEB / "templates").glob("*.html"):
        used |= set(re.findall(r"\bt\(\"(\w+)\"\)", template.read_text("utf-8")))
    assert used - texts.TEXTS.keys() == set()
    assert all(korean and english for korean, english in texts.TEXTS.values())


def test_every_text_of_the_chat_is_there_in_both_languages() -> None:
    source = (STATIC / "texts.js").read_text("utf-8")
    korean, english = re.split(r"\n  en: \{", source)
    names = [set(re.findall(r"\b(\w+): \"", part)) for part in (korean, english)]
    assert names[0] == names[1]
    used: set[str] = set()
    for script in STATIC.glob("*.js"):
        used |= set(re.findall(r"\bsay\(\"(\w+)\"\)", script.read_text("utf-8")))
    assert used - names[0] == set()


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
                       app.evaluation, app.admin, assets)
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

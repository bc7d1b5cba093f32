"""Extract the texts of src and frontend into the Korean catalogue. With --check, fail if a
text has no Korean, is not used, or has different placeholders than its translation.
"""

import io
import itertools
import json
import re
import string
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "saegim"
PO = SOURCE / "locales" / "ko" / "LC_MESSAGES" / "saegim.po"
METHODS = [
    # Written by `make web`; their texts are found in their sources.
    ("web/static/app/**", "ignore"),
    ("web/static/widget/**", "ignore"),
    ("**.py", "python"),
    ("**.html", "jinja2"),
    ("evaluation/report.md", "jinja2"),
]
FRONTEND = ROOT / "frontend" / "src"
# A literal in double quotes as the first argument of `t` or `N_`, on one line or the next; two of
# them for `plural`.
LITERAL = r'\s*"((?:[^"\\\n]|\\.)*)"'
FRONTEND_TEXTS = re.compile(rf"\b(?:(?:t|N_)\({LITERAL}|plural\({LITERAL},{LITERAL})")
KEYWORDS: dict[str, None] = dict.fromkeys(("_", "N_", "translate", "say", "warn", "fail"))


def extract() -> dict[str, list[str]]:
    """Return the English texts, sorted, and the files that use each."""
    used: dict[str, set[str]] = {}
    for name, _, message, _, _ in extract_from_dir(
        SOURCE, METHODS, keywords=KEYWORDS, strip_comment_tags=True
    ):
        assert isinstance(message, str), f"{name}: {message}"
        used.setdefault(message, set()).add(f"src/saegim/{name}")
    for path in sorted(FRONTEND.rglob("*")):
        if path.suffix not in {".ts", ".svelte"} or path.name.endswith(".test.ts"):
            continue
        calls = FRONTEND_TEXTS.findall(path.read_text("utf-8"))
        for quoted in filter(None, itertools.chain.from_iterable(calls)):
            message = json.loads(f'"{quoted}"')
            used.setdefault(message, set()).add(path.relative_to(ROOT).as_posix())
    return {message: sorted(used[message]) for message in sorted(used)}


def read() -> dict[str, str]:
    """Return the Korean of each text in the catalogue."""
    with PO.open("rb") as file:
        catalogue = read_po(file, "ko")
    return {str(entry.id): str(entry.string) for entry in catalogue if entry.id}


def render(used: dict[str, list[str]], translations: dict[str, str]) -> bytes:
    """Return the catalogue with exactly the texts that are used."""
    catalogue = Catalog("ko", project="Saegim", fuzzy=False)
    for message, files in used.items():
        catalogue.add(message, translations.get(message, ""), [(name, 0) for name in files])
    out = io.BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    return out.getvalue()


def problems(used: dict[str, list[str]], translations: dict[str, str]) -> list[str]:
    """Return what is wrong with the catalogue, one line each."""
    found = [
        f"no Korean ({used[text][0]}): {text!r}" for text in used if not translations.get(text)
    ]
    found += [f"not used any more: {text!r}" for text in translations if text not in used]
    found += [
        f"other placeholders than {text!r}: {korean!r}"
        for text, korean in translations.items()
        if korean and _placeholders(text) != _placeholders(korean)
    ]
    return found


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def main() -> None:
    used, translations = extract(), read()
    if "--check" not in sys.argv:
        PO.write_bytes(render(used, translations))
        translations = read()
    found = problems(used, translations)
    if not found and PO.read_bytes() != render(used, translations):
        found = ["the catalogue is not as `make texts` writes it"]
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main()

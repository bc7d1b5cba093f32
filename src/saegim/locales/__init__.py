"""Texts for users. Code holds the English text; `ko/LC_MESSAGES/saegim.po` holds the Korean.

The catalogue is parsed on first use (about 15 ms), so that nothing has to be compiled. `make texts`
extracts new texts into it.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ENTRY = re.compile(r'((?:^#.*\n)*)^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)


def N_(message: str) -> str:  # noqa: N802 - the name that gettext users know
    """Mark a text for extraction where it is defined; translate it where it is shown."""
    return message


def translate(message: str, locale: str, /, **values: object) -> str:
    """Return the text in the language, or in English where it has none, with the values in it."""
    text = catalogue(locale).get(message, message)
    return text.format(**values) if values else text


@cache
def catalogue(locale: str, extension: str = "") -> dict[str, str]:
    """Return the translations, by English text, that files with this extension use."""
    path = FOLDER / locale / "LC_MESSAGES" / "saegim.po"
    if locale == "en" or not path.is_file():
        return {}
    return dict(_entries(path.read_text("utf-8"), extension))


def _entries(source: str, extension: str) -> Iterator[tuple[str, str]]:
    for files, message, translation in _ENTRY.findall(source):
        if extension in files and (text := _unquote(translation)):
            yield _unquote(message), text


def _unquote(lines: str) -> str:
    return "".join(json.loads(quoted) for quoted in _QUOTED.findall(lines))

"""Which language the command line speaks."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from saegim.domain.scope import Locale

# In the order of POSIX, after our own.
VARIABLES = ("SAEGIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def choose(environment: Mapping[str, str]) -> Locale:
    """The first variable that is set decides: Korean for `ko…`, English for all else."""
    chosen = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return "ko" if chosen.lower().startswith("ko") else "en"


LOCALE = choose(os.environ)


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages; call it with its values."""

    ko: str
    en: str

    def __call__(self, **values: object) -> str:
        return (self.ko if LOCALE == "ko" else self.en).format(**values)

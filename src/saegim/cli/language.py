"""The language of the command line."""

import os
from collections.abc import Mapping

from saegim.domain.scope import Locale
from saegim.locales import translate

# Ours first, then the order of POSIX.
VARIABLES = ("SAEGIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def choose(environment: Mapping[str, str]) -> Locale:
    """Return Korean if the first variable that is set begins with `ko`, else English."""
    chosen = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return "ko" if chosen.lower().startswith("ko") else "en"


LOCALE = choose(os.environ)


def _(message: str, /, **values: object) -> str:
    """Return the text in the language of the command line."""
    return translate(message, LOCALE, **values)

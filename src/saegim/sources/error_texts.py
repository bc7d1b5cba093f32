"""Errors of sources and their items in words."""

from collections.abc import Mapping

from saegim.domain.scope import Locale
from saegim.library.parsing.limits import REASON_TEXTS, reason_text
from saegim.locales import N_, translate
from saegim.net.errors import FetchFault

FAULT_TEXTS: Mapping[str, str] = {
    FetchFault.UNREACHABLE: N_("The server could not be reached. Check the address."),
    FetchFault.TIMEOUT: N_("The server took too long to answer."),
    FetchFault.HTTP: N_("The server answered with an error ({detail})."),
    FetchFault.PRIVATE_ADDRESS: N_("The address is inside a private network and is not read."),
    FetchFault.DISALLOWED: N_("The website does not allow programs to read this page."),
    FetchFault.REDIRECTS: N_("The address is redirected too often."),
    FetchFault.TOO_LARGE: N_("The file is too large, or holds too much text."),
    FetchFault.UNSUPPORTED: N_("This kind of file cannot be read: {detail}"),
    FetchFault.WRONG_ADDRESS: N_("The address is not valid."),
    FetchFault.LISTING: N_("The list of documents could not be read."),
    FetchFault.EMPTY: N_("The source has no documents any more. Those read before are kept."),
    FetchFault.ITEM_LIMIT: N_(
        "The source has more documents than its limit. The rest is left out."
    ),
    FetchFault.BYTE_LIMIT: N_("The source has more data than its limit. The rest is left out."),
    FetchFault.FOLDER: N_("The folder does not exist, or the server may not read it."),
    FetchFault.QUOTA: N_("The storage of your organisation is full."),
}
FORBIDDEN = N_("The server refused access ({detail}). Check the keys and permissions.")
MISSING = N_("The server has nothing at this address ({detail}).")
UNKNOWN = N_("The source could not be read.")


def error_text(error: str, locale: Locale) -> str:
    """Return an error of a source or an item in words; details may follow its code."""
    code, _, detail = error.partition(" ")
    if code.partition(":")[0] in REASON_TEXTS and code not in FAULT_TEXTS:
        return reason_text(error, locale)
    text = FAULT_TEXTS.get(code, UNKNOWN)
    if code == FetchFault.HTTP:
        status = detail[:3]
        text = FORBIDDEN if status in ("401", "403") else MISSING if status == "404" else text
        detail = status
    return translate(text, locale, detail=detail or "?")

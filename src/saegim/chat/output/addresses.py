"""Decides which URLs in an answer may stay links, and finds text that renderers would link."""

import html
import re
import unicodedata
from collections.abc import Collection

# Top-level domains that renderers link without a scheme: country codes and common generic ones.
_COUNTRY = (
    "a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]"
    "|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]"
    "|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]"
    "|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]"
)
_GENERIC = (
    "com|net|org|edu|gov|mil|int|biz|info|name|pro|web|xxx|aero|asia|coop|museum|shop|app|dev|xyz"
    "|online|site|top|club|store|tech|cloud|live|page|link|click|blog|space|icu|work|zip|mov|рф"
    "|한국|中国|台湾|香港"
)
_TOP_LEVEL = re.compile(rf"(?:{_GENERIC}|{_COUNTRY}|xn--[a-z0-9-]+)\Z", re.IGNORECASE)
# File extensions and attribute names that are top-level domains too. `README.md` stays: a name of
# two labels without a path carries no data.
_SOFT = "md py rs sh pl cc ps so mk ml pm tf in is id to at as do no it my st ms name info"
SOFT = frozenset(_SOFT.split(" "))
_PRODUCTS = frozenset({"asp.net", "ado.net", "vb.net", "ml.net"})
# Characters that may follow a host up to the next space without changing the host.
_AFTER_HOST = re.compile(r"(?:[가-힣)\]}\"'*,;!?~_`|…]|\.(?!\w))*(?=[\s<]|\Z)")
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_PATH = re.compile(
    r"(?:(?!://|www\.)(?:[^\W_]|[/?=%.,:;@+$#-]|(?<=[^\W_])[_~]+(?=[^\W_])"
    r"|&(?!#?[A-Za-z0-9]+;)))*",
    re.IGNORECASE,
)
# No URL inside a URL: if the brackets turn out to be code, the inner one would become a link.
_DESTINATION = re.compile(
    r"(?P<url>https?://(?P<host>[A-Za-z0-9.-]+)(?::\d{1,5})?"
    r"(?:[/?#](?:(?!://|www\.)[^\s\\<>`()\[\]\"'|*])*)?)"
    r"(?:[ \t]+\"[^\"\\<>`\[\]()&|]*\")?",
    re.IGNORECASE,
)
# URLs of this length or longer are not allowed.
LONGEST = 2_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})


class Addresses:
    """Allowed links: `links` are full URLs, `hosts` allow every page of a host."""

    def __init__(self, links: Collection[str], hosts: Collection[str]) -> None:
        self._links = frozenset(links)
        self._hosts = frozenset(host.casefold() for host in hosts)

    def allows_destination(self, destination: str) -> bool:
        """Return whether the destination of a Markdown link is allowed."""
        stripped = destination.strip()
        if stripped in self._links:
            return True
        match = _DESTINATION.fullmatch(stripped)
        return match is not None and match["host"].casefold() in self._hosts

    def allowed_length(self, scheme: str, rest: str, local: bool = False) -> int:
        """Return the length of the allowed URL at the start of `rest`, which follows `scheme://`.

        0 means not allowed; `local` also allows this machine.
        """
        if len(rest) >= LONGEST:
            return 0
        for link in self._links:
            prefix = f"{scheme}://"
            tail = link[len(prefix) :]
            same = link.casefold().startswith(prefix) and rest.startswith(tail)
            if same and _AFTER_HOST.match(rest, len(tail)):
                return len(tail)
        host = _HOST.match(rest)
        if host is None or scheme not in ("http", "https"):
            return 0
        return self._host_length(host, rest, local)

    def allowed_host(self, before: str, rest: str) -> int:
        """Return how much of `rest` belongs to an allowed host that begins in `before`."""
        host = _HOST.match(before + rest)
        if host is None or len(rest) >= LONGEST:
            return 0
        return max(0, self._host_length(host, before + rest, False) - len(before))

    def _host_length(self, match: re.Match[str], text: str, local: bool) -> int:
        host = match.group()
        if host.casefold() not in self._hosts and not (local and host in LOCAL_HOSTS):
            return 0
        end = match.end()
        port = re.compile(r":\d{1,5}").match(text, end)
        end = port.end() if port else end
        if text[end : end + 1] in ("/", "?", "#"):
            path = _PATH.match(text, end)
            return path.end() if path else end
        return end if _AFTER_HOST.match(text, end) else 0


def name_before(word: str) -> str:
    """Return the end of the word that a renderer would read as the beginning of a URL."""
    start = len(word)
    while start and (is_host_letter(word[start - 1]) or word[start - 1] in "_@.+:/\\-"):
        start -= 1
    return word[start:]


def is_host_letter(character: str) -> bool:
    """Return whether renderers accept the character in a host: emoji, joiners, symbols too."""
    if not character or character.isascii():
        return character.isalnum() or character in ("$", "=", "^", "`", "~")
    return unicodedata.category(character)[0] not in "ZP"


def breaks_dot(before: str, label: str, after: str) -> bool:
    """Return whether the dot between a word and this label could make a link."""
    last = before[-1:]
    if not _TOP_LEVEL.match(label) or not is_host_letter(last):
        return False
    if re.search(r"[\w+-]@[\w.-]*\Z", before) and after != "@":
        return False
    has_path = after in ("/", "?", "#", ":", "@")
    alone = re.search(r"[./@:\\]", before) is None and not has_path
    if alone and (label.casefold() in SOFT or f"{before}.{label}".casefold() in _PRODUCTS):
        return False
    is_word = last.isalnum() and not last.isascii()
    return not (alone and is_word and label.casefold() not in ("com", "net"))


def hides_character(entity: str) -> bool:
    """Return whether an HTML entity encodes a character used in URLs."""
    shown = html.unescape(entity)
    return any(c.isascii() and (c.isalnum() or c in ":/.\\@-") for c in shown)

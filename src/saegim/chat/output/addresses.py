"""Which addresses an answer may show as links, and how every other one is broken."""

import html
import re
import unicodedata
from collections.abc import Collection

# The top-level domains that link finders know without a scheme: all country codes and the common
# generic ones.
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
# File endings and attribute names that are top-level domains too. `README.md` stays as it is: a
# name of two labels and no path can carry nothing.
SOFT = frozenset(
    [
        "md",
        "py",
        "rs",
        "sh",
        "pl",
        "cc",
        "ps",
        "so",
        "mk",
        "ml",
        "pm",
        "tf",
        "in",
        "is",
        "id",
        "to",
        "at",
        "as",
        "do",
        "no",
        "it",
        "my",
        "st",
        "ms",
        "name",
        "info",
    ]
)
_PRODUCTS = frozenset({"asp.net", "ado.net", "vb.net", "ml.net"})
# What may follow a host until the next space without changing which host it is.
_AFTER_HOST = re.compile(r"(?:[가-힣)\]}\"'*,;!?~_`|…]|\.(?!\w))*(?=[\s<]|\Z)")
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_PATH = re.compile(
    r"(?:(?!://|www\.)(?:[^\W_]|[/?=%.,:;@+$#-]|(?<=[^\W_])[_~]+(?=[^\W_])"
    r"|&(?!#?[A-Za-z0-9]+;)))*",
    re.IGNORECASE,
)
# No address inside an address: where the brackets turn out to be code, it would become a link.
_DESTINATION = re.compile(
    r"(?P<url>https?://(?P<host>[A-Za-z0-9.-]+)(?::\d{1,5})?"
    r"(?:[/?#](?:(?!://|www\.)[^\s\\<>`()\[\]\"'|*])*)?)"
    r"(?:[ \t]+\"[^\"\\<>`\[\]()&|]*\")?",
    re.IGNORECASE,
)
# Whoever reads an address reads no further; one that is longer is not allowed.
LONGEST = 2_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})


class Addresses:
    """`links` are whole addresses, `hosts` are hosts any page of which may be linked."""

    def __init__(self, links: Collection[str], hosts: Collection[str]) -> None:
        self._links = frozenset(links)
        self._hosts = frozenset(host.casefold() for host in hosts)

    def allows_destination(self, destination: str) -> bool:
        """Whether what stands between the parentheses of a link may stay."""
        stripped = destination.strip()
        if stripped in self._links:
            return True
        found = _DESTINATION.fullmatch(stripped)
        return found is not None and found["host"].casefold() in self._hosts

    def allowed_length(self, scheme: str, rest: str, local: bool = False) -> int:
        """How much of `rest`, which follows `scheme://`, belongs to an allowed address; 0 where it
        is not allowed. `local` allows this machine too."""
        if len(rest) >= LONGEST:
            return 0
        for link in self._links:
            prefix = f"{scheme}://"
            tail = link[len(prefix) :]
            same = link.casefold().startswith(prefix) and rest.startswith(tail)
            if same and _AFTER_HOST.match(rest, len(tail)):
                return len(tail)
        found = _HOST.match(rest)
        if found is None or scheme not in ("http", "https"):
            return 0
        return self._host_length(found, rest, local)

    def allowed_host(self, before: str, rest: str) -> int:
        """How much of `rest` belongs to an allowed host without a scheme, begun in `before`."""
        found = _HOST.match(before + rest)
        if found is None or len(rest) >= LONGEST:
            return 0
        return max(0, self._host_length(found, before + rest, False) - len(before))

    def _host_length(self, found: re.Match[str], text: str, local: bool) -> int:
        host = found.group()
        if host.casefold() not in self._hosts and not (local and host in LOCAL_HOSTS):
            return 0
        end = found.end()
        port = re.compile(r":\d{1,5}").match(text, end)
        end = port.end() if port else end
        if text[end : end + 1] in ("/", "?", "#"):
            path = _PATH.match(text, end)
            return path.end() if path else end
        return end if _AFTER_HOST.match(text, end) else 0


def name_before(word: str) -> str:
    """What a link finder would read, at the end of this word, as the beginning of an address."""
    start = len(word)
    while start and (is_host_letter(word[start - 1]) or word[start - 1] in "_@.+:/\\-"):
        start -= 1
    return word[start:]


def is_host_letter(character: str) -> bool:
    """Whether link finders take this for a letter of a host: emoji, joiners and symbols too."""
    if not character or character.isascii():
        return character.isalnum() or character in ("$", "=", "^", "`", "~")
    return unicodedata.category(character)[0] not in "ZP"


def breaks_dot(before: str, label: str, after: str) -> bool:
    """Whether the dot between a word and this label could make a link without a scheme."""
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
    """Whether an HTML entity stands for a character that addresses are made of."""
    shown = html.unescape(entity)
    return any(c.isascii() and (c.isalnum() or c in ":/.\\@-") for c in shown)

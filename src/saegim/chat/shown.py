"""What of a model's text is shown: markers that resolve, links that are allowed, no images.

Text is looked at as it comes and let go as soon as it can mean nothing else; what was let go is
never taken back.
"""

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from saegim.domain.evidence import Evidence

_MARK = r"[MTF]?\d{1,4}"
_URL = r"(?:https?://|www\.)[^\s<>\"'`()\[\]!]+"
_TAGS = (
    "img|a|script|iframe|link|style|svg|video|audio|source|object|embed|form|input|button|base"
    "|meta|body|picture|area|map|frame|applet|math|template"
)
_WHOLE = re.compile(
    r"(?P<fence>^```[^\n]*(?:\n|\Z))"
    r"|(?P<code>`[^`\n]{1,400}`)"
    r"|(?P<image>!\[[^\]\n]{0,1000}\]\([^)\n]{0,2000}\))"
    r"|(?P<link>\[(?P<label>[^\]\n]{0,1000})\]\((?P<url>[^)\n]{0,2000})\))"
    rf"|(?P<marker>\[{_MARK}(?:\s?[,;]\s?{_MARK}){{0,9}}\])"
    rf"|(?P<bare>{_URL})"
    rf"|(?P<tag><(?=/?(?:{_TAGS})\b))"
    r"|(?P<joint>\]\()",
    re.MULTILINE | re.IGNORECASE,
)
# The beginning of any of these, at the end of what has come so far.
_BEGUN = re.compile(
    r"(?:^`{1,3}[^\n]*"
    r"|`[^`\n]{0,400}"
    r"|!?\[[^\]\n]{0,1000}(?:\](?:\([^)\n]{0,2000})?)?"
    r"|!"
    r"|\]"
    rf"|{_URL}|www\.?|ww?|https?:?/?/?|htt?|h"
    r"|<(?:/?[a-z]{0,10})?)\Z",
    re.MULTILINE | re.IGNORECASE,
)


class Shown:
    """The visible form of one answer.

    `cited` are the pieces of evidence whose markers were shown, in order; `unknown` counts markers
    that named nothing and were left out.
    """

    def __init__(
        self,
        evidence: Mapping[str, Evidence],
        links: Collection[str] = (),
        hosts: Collection[str] = (),
    ) -> None:
        self._evidence = evidence
        self._links = frozenset(links)
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._held = ""
        self._in_code = False
        self._fresh_line: bool = True
        self.cited: dict[str, Evidence] = {}
        self.unknown = 0
        self.defused = 0

    def feed(self, piece: str) -> str:
        """What can be shown now that this piece came."""
        return self._release(self._held + piece, whole=False)

    def close(self) -> str:
        """What was held back, once nothing more comes."""
        return self._release(self._held, whole=True)

    def _release(self, text: str, *, whole: bool) -> str:
        """The text in its visible form, up to what may still become something else."""
        # A fence counts only at the start of a line, which may lie in the piece before.
        at = 0 if self._fresh_line else 1
        text = f"{' ' * at}{text}"
        out: list[str] = []
        while True:
            found = _WHOLE.search(text, at)
            begun = None if whole else _BEGUN.search(text, at)
            if begun and (found is None or begun.start() <= found.start()):
                end = begun.start()
                break
            if found is None:
                end = len(text)
                break
            out += [text[at : found.start()], self._replaced(found)]
            at = found.end()
        out.append(text[at:end])
        self._held = text[end:]
        self._fresh_line = text[end - 1] == "\n" if end else True
        return "".join(out)

    def _replaced(self, match: re.Match[str]) -> str:
        kind, whole = match.lastgroup or "", match.group()
        if match["fence"]:
            self._in_code = not self._in_code
            return whole
        if self._in_code or match["code"]:
            return whole
        if match["marker"]:
            return self._markers(whole)
        if match["image"]:
            self.defused += 1
            return whole[2 : whole.index("]")]
        if match["link"]:
            return self._link(match)
        self.defused += kind == "tag" or (kind == "bare" and not self._allows(whole))
        if match["bare"]:
            return whole if self._allows(whole) else f"`{whole}`"
        return "‹" if match["tag"] else "] ("

    def _markers(self, whole: str) -> str:
        kept = ""
        for name in re.findall(_MARK, whole, re.IGNORECASE):
            found = self._evidence.get(name.upper())
            if found is None:
                self.unknown += 1
            else:
                self.cited.setdefault(found.marker, found)
                kept += f"[{found.marker}]"
        return kept

    def _link(self, match: re.Match[str]) -> str:
        if self._allows(match["url"].strip()):
            return match.group()
        self.defused += 1
        label = match["label"]
        return label if not re.match(r"https?:|www\.", label) else f"`{label}`"

    def _allows(self, url: str) -> bool:
        if url in self._links:
            return True
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and (parts.hostname or "") in self._hosts

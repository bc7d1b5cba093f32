"""robots.txt as RFC 9309 has it: the longest rule decides, `*` and `$` are understood."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

AGENT = "saegim"
LARGEST_BYTES = 500 << 10
LONGEST_DELAY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of a group: whether paths that begin so may be read."""

    pattern: str
    allow: bool

    def matches(self, path: str) -> bool:
        """Piece by piece from the left: a regular expression would let a site stall us."""
        ends = self.pattern.endswith("$")
        first, *others = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        if not others:
            return not ends or at == len(path)
        *middle, last = others
        for piece in middle:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if ends:
            return path.endswith(last) and len(path) - len(last) >= at
        return path.find(last, at) >= 0


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site lets us read, and how slowly."""

    rules: tuple[Rule, ...] = ()
    delay_seconds: float = 0.0

    def allows(self, url: str) -> bool:
        address = urlsplit(url)
        path = _plain((address.path or "/") + (f"?{address.query}" if address.query else ""))
        if path == "/robots.txt":
            return True
        found = [rule for rule in self.rules if rule.matches(path)]
        # The most specific rule; of two that are as specific, the one that allows.
        best = max(found, key=lambda rule: (len(rule.pattern), rule.allow), default=None)
        return best is None or best.allow


def parse(text: str, agent: str = AGENT) -> Robots:
    """The rules for our agent, else those for everybody."""
    groups: dict[str, list[tuple[str, str]]] = {}
    current: list[str] = []
    in_rules = False
    for line in text.lstrip("\ufeff").splitlines():
        name, separator, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if not separator:
            continue
        if name == "user-agent":
            current = [*(() if in_rules else current), _product(value)]
            in_rules = False
            groups.setdefault(current[-1], [])
        elif name in ("allow", "disallow", "crawl-delay"):
            in_rules = True
            for group in current:
                groups[group].append((name, value))
    return _robots(groups.get(agent, groups.get("*", [])))


def _robots(lines: list[tuple[str, str]]) -> Robots:
    rules = [Rule(_plain(value), name == "allow") for name, value in lines if name != "crawl-delay"]
    delays = [_seconds(value) for name, value in lines if name == "crawl-delay"]
    return Robots(tuple(rule for rule in rules if rule.pattern), max(delays, default=0.0))


def _product(value: str) -> str:
    found = re.match(r"[A-Za-z_-]+|\*", value)
    return found[0].lower() if found else ""


def _plain(path: str) -> str:
    """One spelling for paths that differ only in how they are escaped."""
    return quote(unquote(path), safe="/*$?=&%+,:;@!'()~")


def _seconds(value: str) -> float:
    try:
        return min(max(float(value), 0.0), LONGEST_DELAY_SECONDS)
    except ValueError:
        return 0.0

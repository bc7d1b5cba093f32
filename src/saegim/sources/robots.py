"""Parse robots.txt (RFC 9309) with Protego."""

import re
from dataclasses import dataclass, field

from protego import Protego

AGENT = "saegim"
LARGEST_BYTES = 500 << 10
LONGEST_DELAY_SECONDS = 60.0

# Protego compares whole names; by the RFC the product name selects the group.
_VERSION = re.compile(
    r"^([ \t]*user-agent[ \t]*:[ \t]*[a-z_-]+)[^\r\n#]*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Robots:
    """The URLs that a site allows, and its crawl delay."""

    rules: Protego = field(default_factory=Protego)
    agent: str = AGENT

    def allows(self, url: str) -> bool:
        return self.rules.can_fetch(url, self.agent)

    @property
    def delay_seconds(self) -> float:
        return min(self.rules.crawl_delay(self.agent) or 0.0, LONGEST_DELAY_SECONDS)


def parse(text: str, agent: str = AGENT) -> Robots:
    """Return the rules for our agent, or those for all."""
    return Robots(Protego.parse(_VERSION.sub(r"\1", text.lstrip("\ufeff"))), agent)

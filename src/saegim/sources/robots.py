"""robots.txt as RFC 9309 has it, read by Protego."""

import re
from dataclasses import dataclass, field

from protego import Protego

AGENT = "saegim"
LARGEST_BYTES = 500 << 10
LONGEST_DELAY_SECONDS = 60.0

# Protego compares whole names; the RFC says that a group is named by the product alone.
_VERSION = re.compile(
    r"^([ \t]*user-agent[ \t]*:[ \t]*[a-z_-]+)[^\r\n#]*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site lets us read, and how slowly."""

    rules: Protego = field(default_factory=Protego)
    agent: str = AGENT

    def allows(self, url: str) -> bool:
        return self.rules.can_fetch(url, self.agent)

    @property
    def delay_seconds(self) -> float:
        return min(self.rules.crawl_delay(self.agent) or 0.0, LONGEST_DELAY_SECONDS)


def parse(text: str, agent: str = AGENT) -> Robots:
    """The rules for our agent, else those for everybody."""
    return Robots(Protego.parse(_VERSION.sub(r"\1", text.lstrip("\ufeff"))), agent)

import time

import pytest

from saegim.sources.robots import LONGEST_DELAY_SECONDS, parse

pytestmark = pytest.mark.requirement("LB10")

SITE = """
User-agent: other
Disallow: /

User-agent: *   # everybody
User-agent: friendly
Disallow: /private
Disallow: /*.cgi$
Disallow: /search*sort=
Allow: /private/open
Crawl-delay: 2.5
Sitemap: https://site.test/sitemap.xml
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/private", False),
        ("/privateer", False),
        ("/private/open/page", True),
        ("/x.cgi", False),
        ("/x.cgi?y", True),
        ("/search?q=1&sort=up", False),
        ("/search?q=1", True),
        ("/pri%76ate/x", False),
        ("/robots.txt", True),
    ],
)
def test_the_longest_rule_decides(path: str, allowed: bool) -> None:
    assert parse(SITE).allows(f"https://site.test{path}") is allowed


def test_our_own_group_goes_before_everybodys() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-Agent: Saegim/1.0\nDisallow: /no\n"
    assert parse(text).allows("https://site.test/yes")
    assert not parse(text).allows("https://site.test/no")
    assert not parse(text, "other").allows("https://site.test/yes")


def test_a_group_of_several_agents_ends_with_its_rules() -> None:
    text = "User-agent: a\nUser-agent: saegim\nDisallow: /x\nUser-agent: b\nDisallow: /y\n"
    assert not parse(text).allows("https://site.test/x")
    assert parse(text).allows("https://site.test/y")


def test_the_delay_is_read_and_bounded() -> None:
    assert parse(SITE).delay_seconds == 2.5
    assert parse("User-agent: *\nCrawl-delay: 86400").delay_seconds == LONGEST_DELAY_SECONDS
    assert parse("User-agent: *\nCrawl-delay: soon\nDisallow:").delay_seconds == 0


@pytest.mark.parametrize("text", ["", "<html>", "\x00\xff", "Disallow: /", "User-agent: *"])
def test_a_file_that_says_nothing_to_us_allows_everything(text: str) -> None:
    assert parse(text).allows("https://site.test/page")


def test_a_rule_cannot_stall_us() -> None:
    rules = parse("User-agent: *\nDisallow: /" + "*a" * 40 + "*b$")
    began = time.perf_counter()
    assert rules.allows("https://site.test/" + "a" * 1_400)
    # Trying every split would take longer than the universe is old.
    assert time.perf_counter() - began < 60

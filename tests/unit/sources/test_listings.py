import gzip

import pytest

from saegim.net.errors import FetchFailed
from saegim.sources.listings import gunzip, read

SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><image:image><image:loc>https://site.test/p.png</image:loc></image:image>
    <loc> https://site.test/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod></url>
  <url><loc>https://site.test/b</loc></url>
</urlset>"""


def test_a_sitemaps_own_fields_are_read_and_those_further_in_are_not() -> None:
    tree = read(SITEMAP, frozenset({"url"}))
    assert tree.root.name == "urlset"
    assert [one.fields["loc"] for one in tree.elements] == [
        "https://site.test/a?x=1&y=2",
        "https://site.test/b",
    ]


BOMB = b"""<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<urlset><url><loc>&b;</loc></url></urlset>"""


@pytest.mark.parametrize(
    "content",
    [b"", b"<html><body>503</body>", b"{}", BOMB, BOMB.decode().encode("utf-16"), SITEMAP[:200]],
)
def test_what_is_no_listing_is_refused(content: bytes) -> None:
    with pytest.raises(FetchFailed, match="unreadable_listing"):
        read(content, frozenset({"url"}))


def test_packed_listings_are_unpacked_up_to_a_limit() -> None:
    assert gunzip(gzip.compress(SITEMAP), 10_000) == SITEMAP
    assert gunzip(SITEMAP, 10) == SITEMAP
    with pytest.raises(FetchFailed, match="too_large"):
        gunzip(gzip.compress(b"\0" * 10_000_000), 1_000_000)
    with pytest.raises(FetchFailed, match="unreadable_listing"):
        gunzip(b"\x1f\x8bnothing", 10)

"""Lists of pages and sitemaps stay in sync, politely, and an outage deletes nothing."""

import pytest

from saegim.net.guard import GuardedTransport, networks
from saegim.sources.types import CrawlLimits
from saegim.sources.web import Web
from tests.integration.library.conftest import bring_in, search
from tests.integration.sources.conftest import (
    add,
    counts,
    documents,
    look,
    look_again,
    status,
)
from tests.integration.sources.site import Reply, Site, page, running
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LB10")


async def test_pages_come_in_change_and_go(stack: Stack, site: Site) -> None:
    a = site.put("/a", "환불 안내", "환불은 7일 안에 됩니다.")
    b = site.put("/b", "배송 안내", "배송은 이틀 걸립니다.")
    site.pages["/faq"] = page(
        '[{"id": "f1", "question": "열리나요?", "answer": "예."}]', "application/json"
    )
    source = await add(stack, {"kind": "urls", "urls": [a, b, f"{site.url}/faq"]})

    assert counts(await look(stack, source)) == (3, 3, 0, 0, 0)
    before = await documents(stack)
    assert set(before) == {a, b, "f1"}
    hit = (await search(stack, "환불 며칠"))["found"][0]
    assert (hit["document"]["document_id"], hit["document"]["title"]) == (a, "환불 안내")

    site.asked.clear()
    again = await look_again(stack, source)
    assert (counts(again), again["error"]) == ((3, 0, 3, 0, 0), None)
    assert all("if-none-match" in one.headers for one in site.asked if one.path != "/robots.txt")

    site.put("/a", "환불 안내", "환불은 14일 안에 됩니다.")
    del site.pages["/b"]
    changed = await look_again(stack, source)
    assert (counts(changed), changed["documents"]) == ((3, 1, 1, 0, 1), 2)
    assert await documents(stack) == {a: before[a], "f1": before["f1"]}
    assert "14일" in (await search(stack, "환불 며칠"))["found"][0]["text"]


async def test_a_sitemap_is_followed_on_its_own_host_and_what_leaves_it_leaves_us(
    stack: Stack, site: Site
) -> None:
    for name in "abc":
        site.put(f"/{name}", f"제목 {name}", f"내용 {name}입니다.")
    outside = "http://127.0.0.2:9/elsewhere"
    site.sitemap("/b", "/c", at="/second.xml")
    named = [f"<sitemap><loc>{site.url}/{x}.xml</loc></sitemap>" for x in ("first", "second")]
    index = f"<sitemapindex>{''.join(named)}</sitemapindex>"
    site.sitemap("/a", at="/first.xml")
    first = site.pages["/first.xml"].body.replace(
        b"</urlset>", f"<url><loc>{outside}</loc></url></urlset>".encode()
    )
    site.pages["/first.xml"] = Reply(200, first, {})
    site.pages["/index.xml"] = Reply(200, index.encode(), {})
    source = await add(stack, {"kind": "sitemap", "url": f"{site.url}/index.xml"})
    assert counts(await look(stack, source)) == (3, 3, 0, 0, 0)

    site.sitemap("/b", at="/second.xml")
    assert counts(await look_again(stack, source)) == (2, 0, 2, 0, 1)
    assert set(await documents(stack)) == {f"{site.url}/a", f"{site.url}/b"}


@pytest.mark.parametrize("trouble", ["down", "http_500", "empty", "garbage", "missing", "gone"])
async def test_a_source_that_fails_deletes_nothing(trouble: str, stack: Stack, site: Site) -> None:
    for name in "abcdefgh":
        site.put(f"/{name}", f"제목 {name}", f"내용 {name}입니다.")
    address = site.sitemap(*[f"/{name}" for name in "abcdefgh"])
    source = await add(stack, {"kind": "sitemap", "url": address})
    await look(stack, source)
    before = await documents(stack)
    assert len(before) == 8

    whole = dict(site.pages)
    match trouble:
        case "down":
            site.down = True
        case "http_500":
            site.pages = {path: Reply(500) for path in site.pages}
        case "empty":
            site.sitemap()
        case "garbage":
            site.pages["/sitemap.xml"] = page("<html>We are back soon")
        case "missing":
            del site.pages["/sitemap.xml"]
        case "gone":
            site.pages = {"/sitemap.xml": site.pages["/sitemap.xml"]}
    failed = await look_again(stack, source)
    assert failed["error"]
    assert await documents(stack) == before
    assert failed["removed"] == 0

    site.down, site.pages = False, whole
    healed = await look_again(stack, source)
    assert (healed["error"], counts(healed)) == (None, (8, 0, 8, 0, 0))


async def test_a_page_that_fails_keeps_its_document_and_is_named(stack: Stack, site: Site) -> None:
    a, b = site.put("/a", "하나", "첫 문서입니다."), site.put("/b", "둘", "둘째 문서입니다.")
    source = await add(stack, {"kind": "urls", "urls": [a, b]})
    await look(stack, source)
    site.pages["/b"] = Reply(503)
    shown = await look_again(stack, source)
    assert (counts(shown), shown["error"]) == ((2, 0, 1, 1, 0), None)
    assert [(one["key"], one["error"]) for one in shown["failing"]] == [(b, "http_error 503")]
    assert set(await documents(stack)) == {a, b}


async def test_a_dead_host_is_not_asked_for_every_page(stack: Stack, site: Site) -> None:
    urls = [site.put(f"/{n}", f"제목 {n}", f"내용 {n}") for n in range(20)]
    source = await add(stack, {"kind": "urls", "urls": urls})
    site.pages = {path: Reply(502) for path in site.pages}
    shown = await look(stack, source)
    assert shown["error"] == "http_error 502"
    assert len(site.paths()) == 5


async def test_robots_txt_is_kept(stack: Stack, site: Site) -> None:
    open_, closed = site.put("/open", "공개", "공개 문서"), site.put("/no/page", "비공개", "비밀")
    site.pages["/robots.txt"] = page("User-agent: *\nDisallow: /no\nCrawl-delay: 0.2", "text/plain")
    site.put("/also", "또 하나", "다른 문서")
    site.pages["/jump"] = Reply(302, b"", {"Location": "/no/page"})
    urls = [open_, closed, f"{site.url}/also", f"{site.url}/jump"]
    source = await add(stack, {"kind": "urls", "urls": urls})
    shown = await look(stack, source)

    assert site.paths() == ["/open", "/also", "/jump"]
    assert {one["key"]: one["error"] for one in shown["failing"]} == {
        closed: "disallowed_by_robots",
        f"{site.url}/jump": "disallowed_by_robots",
    }
    assert site.asked[0].headers["user-agent"].startswith("saegim/")


class Pauses:
    """A clock that only sleeping moves, and how long was slept each time."""

    def __init__(self) -> None:
        self.at = 100.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


@pytest.mark.parametrize(("asked", "waited"), [("Crawl-delay: 4", 4.0), ("Disallow: /no", 1.5)])
async def test_the_longer_of_both_crawl_delays_is_kept(
    asked: str, waited: float, site: Site
) -> None:
    pages = [site.put(f"/{name}", "제목", "내용") for name in "abc"]
    site.pages["/robots.txt"] = page(f"User-agent: *\n{asked}", "text/plain")
    own, pauses = CrawlLimits(delay_seconds=1.5), Pauses()
    transport = GuardedTransport(networks(["127.0.0.1/32"]))
    async with Web(transport, own, monotonic=pauses.now, sleep=pauses.sleep) as web:
        for address in pages:
            await web.get(address)
        pauses.at += 60
        await web.get(pages[0])
    assert pauses.slept == [0.0, waited, waited, 0.0]


async def test_a_site_whose_robots_txt_cannot_be_read_is_left_alone(
    stack: Stack, site: Site
) -> None:
    site.pages["/robots.txt"] = Reply(503)
    source = await add(stack, {"kind": "urls", "urls": [site.put("/a", "하나", "첫 문서")]})
    assert (await look(stack, source))["failing"][0]["error"] == "http_error 503 robots.txt"
    assert site.paths() == []


async def test_limits_are_kept_and_what_lies_beyond_them_is_not_deleted(
    stack: Stack, site: Site
) -> None:
    for n in range(6):
        site.put(f"/{n}", f"제목 {n}", f"내용 {n}입니다.")
    address = site.sitemap(*[f"/{n}" for n in range(4)])
    limits = {"items": 4, "bytes_each": 2_000, "delay_seconds": 0.1}
    source = await add(stack, {"kind": "sitemap", "url": address}, limits=limits)
    assert (await look(stack, source))["documents"] == 4

    site.put("/1", "제목 1", "긴 글 " * 2_000)
    site.sitemap("/5", "/4", "/0", "/1", "/2", "/3")
    shown = await look_again(stack, source)
    assert (shown["error"], shown["documents"], shown["listed"]) == ("item_limit_reached", 6, 4)
    assert [(one["key"], one["error"]) for one in shown["failing"]] == [
        (f"{site.url}/1", "too_large")
    ]


async def test_redirects_end(stack: Stack, site: Site) -> None:
    site.pages["/loop"] = Reply(301, b"", {"Location": "/loop"})
    site.put("/end", "도착", "마지막 문서입니다.")
    site.pages["/start"] = Reply(308, b"", {"Location": "/end"})
    site.pages["/out"] = Reply(302, b"", {"Location": "file:///etc/passwd"})
    urls = [f"{site.url}/{name}" for name in ("loop", "start", "out")]
    shown = await look(stack, await add(stack, {"kind": "urls", "urls": urls}))
    assert {one["key"]: one["error"] for one in shown["failing"]} == {
        urls[0]: "too_many_redirects",
        urls[2]: "wrong_address",
    }
    assert set(await documents(stack)) == {urls[1]}


async def test_the_kind_a_server_names_decides_how_a_page_is_read(stack: Stack, site: Site) -> None:
    site.pages["/notes"] = page("# 첫째\n\n하나\n\n## 둘째\n\n둘", "text/markdown")
    site.pages["/fragment"] = page("<h1>조각</h1><p>머리 없는 쪽.</p>")
    site.pages["/photo"] = page("not really", "image/png")
    urls = [f"{site.url}/{name}" for name in ("notes", "fragment", "photo")]
    shown = await look(stack, await add(stack, {"kind": "urls", "urls": urls}))
    assert [(one["key"], one["error"]) for one in shown["failing"]] == [
        (urls[2], "unsupported_type image/png")
    ]
    found = {hit["document"]["title"]: hit for hit in (await search(stack, "둘째 쪽"))["found"]}
    assert set(found) == {"첫째", "조각"}
    assert "<p>" not in found["조각"]["text"]


async def test_our_own_network_is_not_reached_unless_a_setting_says_so(
    databases: Databases, site: Site
) -> None:
    site.put("/a", "안쪽", "안쪽 문서")
    async with running(Site()) as other:
        other.pages["/out"] = Reply(302, b"", {"Location": f"{site.url}/a"})
        async with new_stack(databases) as stack:
            await stack.services.warm_up()
            port = site.port
            urls = [f"http://{host}:{port}/a" for host in ("127.0.0.1", "localhost", "[::1]", "0")]
            shown = await look(stack, await add(stack, {"kind": "urls", "urls": urls}))
            assert {one["error"] for one in shown["failing"]} == {"private_address"}
        allowed = {"sources_private_networks": ["127.0.0.2/32"]}
        async with new_stack(databases, settings=allowed) as stack:
            await stack.services.warm_up()
            shown = await look(stack, await add(stack, {"kind": "urls", "urls": [urls[0]]}))
            assert shown["failing"][0]["error"] == "private_address"
    assert site.asked == []


async def test_a_document_that_came_from_elsewhere_is_not_taken_over(
    stack: Stack, site: Site
) -> None:
    site.pages["/faq"] = page(
        '[{"id": "f1", "question": "왜?", "answer": "그냥."}]', "application/json"
    )
    mine = '[{"id": "f1", "question": "왜요?", "answer": "손으로 올린 답."}]'
    await bring_in(stack, {"mine.json": mine}, kind="faq")
    before = await documents(stack)
    shown = await look(stack, await add(stack, {"kind": "urls", "urls": [f"{site.url}/faq"]}))
    assert shown["failing"][0]["error"].startswith("taken")
    assert await documents(stack) == before
    assert "손으로" in (await search(stack, "왜요"))["found"][0]["text"]


async def test_entries_that_leave_a_list_leave_with_it(stack: Stack, site: Site) -> None:
    def faq(*numbers: int) -> Reply:
        entries = ", ".join(
            f'{{"id": "f{n}", "question": "질문 {n}", "answer": "답 {n}"}}' for n in numbers
        )
        return page(f"[{entries}]", "application/json")

    site.pages["/faq"] = faq(1, 2, 3)
    source = await add(stack, {"kind": "urls", "urls": [f"{site.url}/faq"]})
    await look(stack, source)
    assert set(await documents(stack)) == {"f1", "f2", "f3"}
    site.pages["/faq"] = faq(1, 3, 4)
    await look_again(stack, source)
    assert set(await documents(stack)) == {"f1", "f3", "f4"}


async def test_removing_a_source_removes_what_it_brought_in_and_nothing_else(
    stack: Stack, site: Site
) -> None:
    await bring_in(stack, {"mine.md": "# 내 문서\n\n손으로 올렸습니다."})
    source = await add(stack, {"kind": "urls", "urls": [site.put("/a", "하나", "첫 문서입니다.")]})
    await look(stack, source)
    assert len(await documents(stack)) == 2
    gone = await stack.http.delete(f"/v1/sources/{source}", headers=stack.headers())
    assert gone.status_code == 204
    listed = await stack.http.get("/v1/sources", headers=stack.headers())
    assert listed.json() == {"sources": []}
    for _ in range(2):
        missing = await stack.http.delete(f"/v1/sources/{source}", headers=stack.headers())
        assert missing.status_code == 404
    async with stack.working():
        pass
    other = await add(stack, {"kind": "urls", "urls": [site.put("/z", "끝", "끝 문서입니다.")]})
    await look(stack, other)
    assert set(await documents(stack)) == {"mine.md", f"{site.url}/z"}


async def test_the_same_source_twice_is_one(stack: Stack, site: Site) -> None:
    what = {"kind": "urls", "urls": [site.put("/a", "하나", "첫 문서입니다.")]}
    first, second = [await add(stack, what) for _ in range(2)]
    assert first == second
    shown = await status(stack, first)
    assert (shown["kind"], shown["address"], shown["every_hours"]) == ("urls", f"{site.url}/a", 24)

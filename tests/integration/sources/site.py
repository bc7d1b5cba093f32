"""A local web site and bucket with configurable behaviour."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qs, parse_qsl, quote, unquote
from xml.sax.saxutils import escape

LONG_AGO = "Mon, 16 Nov 2026 00:00:00 GMT"
ACCESS, SECRET, REGION = "AKIATEST", "a/secret+key", "kr-central"


@dataclass
class Asked:
    """One request as it came in; header names are in lower case."""

    target: str
    headers: dict[str, str]
    method: str = "GET"
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def page(text: str, kind: str = "text/html; charset=utf-8") -> Reply:
    body = text.encode()
    return Reply(200, body, {"Content-Type": kind, "ETag": f'"{hashlib.md5(body).hexdigest()}"'})


class Site:
    """Pages by path. `down` hangs up on everybody; `hang` never answers."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}
        self.asked: list[Asked] = []
        self.down = False
        self.hang = False
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put(self, path: str, title: str, text: str) -> str:
        """A page of HTML; its address."""
        html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p>"
        self.pages[path] = page(html + "</body></html>")
        return self.url + path

    def sitemap(self, *paths: str, at: str = "/sitemap.xml") -> str:
        named = "".join(f"<url><loc>{escape(self.url + path)}</loc></url>" for path in paths)
        xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{named}</urlset>'
        self.pages[at] = Reply(200, xml.encode(), {"Content-Type": "application/xml"})
        return self.url + at

    def paths(self) -> list[str]:
        """Returns the requested paths, except robots.txt."""
        return [each.path for each in self.asked if each.path != "/robots.txt"]

    def answer(self, asked: Asked) -> Reply:
        reply = self.pages.get(asked.path, Reply(404, b"nothing here"))
        tag = reply.headers.get("ETag")
        if reply.status == 200 and tag and asked.headers.get("if-none-match") == tag:
            return Reply(304, b"", {"ETag": tag})
        return reply

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            method, target, _ = head[0].split(" ")
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            asked = Asked(target, headers, method, body)
            self.asked.append(asked)
            if self.hang:
                await reader.read()
            elif self.down:
                writer.transport.abort()
            else:
                reply = self.answer(asked)
                fields = {"Content-Length": str(len(reply.body))} | reply.headers
                lines = [f"HTTP/1.1 {reply.status} x", "Connection: close"]
                lines += [f"{name}: {value}" for name, value in fields.items()]
                shown = b"" if method == "HEAD" else reply.body
                writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + shown)
                await writer.drain()
        writer.close()


class Store(Site):
    """A bucket that checks signatures and lists page by page."""

    def __init__(self) -> None:
        super().__init__()
        self.objects: dict[str, bytes] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
        self.page_size = 2
        self.refused = 0
        self.broken_listing = False

    def answer(self, asked: Asked) -> Reply:
        if not self._is_signed(asked):
            self.refused += 1
            return Reply(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        bucket, _, name = unquote(asked.path).removeprefix("/").partition("/")
        assert bucket == "docs"
        if not name:
            return self._list(asked)
        query = dict(parse_qsl(asked.target.partition("?")[2], keep_blank_values=True))
        if "uploads" in query or "uploadId" in query:
            return self._in_parts(asked, name, query)
        if asked.method == "PUT":
            if hashlib.sha256(asked.body).hexdigest() != asked.headers["x-amz-content-sha256"]:
                return Reply(400, b"<Error><Code>XAmzContentSHA256Mismatch</Code></Error>")
            self.objects[name] = asked.body
            return Reply(200, b"", {"ETag": f'"{hashlib.md5(asked.body).hexdigest()}"'})
        if name not in self.objects:
            return Reply(404)
        body = self.objects[name]
        about = {"ETag": f'"{hashlib.md5(body).hexdigest()}"', "Last-Modified": LONG_AGO}
        return Reply(200, body, about)

    def _in_parts(self, asked: Asked, name: str, query: dict[str, str]) -> Reply:
        """An upload of several requests; its parts become an object when it is completed."""
        parts = self.parts.setdefault(name, {})
        if "uploads" in query:
            xml = "<InitiateMultipartUploadResult><UploadId>1</UploadId>"
            return Reply(200, f"{xml}</InitiateMultipartUploadResult>".encode())
        if asked.method == "PUT":
            parts[int(query["partNumber"])] = asked.body
            return Reply(200, b"", {"ETag": f'"{hashlib.md5(asked.body).hexdigest()}"'})
        if asked.method == "POST":
            self.objects[name] = b"".join(parts[number] for number in sorted(parts))
            xml = '<CompleteMultipartUploadResult><ETag>"1"</ETag>'
            return Reply(200, f"{xml}</CompleteMultipartUploadResult>".encode())
        return Reply(204)

    def _list(self, asked: Asked) -> Reply:
        query = {k: v[0] for k, v in parse_qs(asked.target.partition("?")[2]).items()}
        assert query["list-type"] == "2"
        after = query.get("continuation-token", "")
        if self.broken_listing and after:
            return Reply(500)
        names = [name for name in sorted(self.objects) if name.startswith(query.get("prefix", ""))]
        rest = [name for name in names if name > after]
        shown = rest[: self.page_size]
        more = len(rest) > len(shown)
        xml = "".join(
            f"<Contents><Key>{escape(name)}</Key><Size>{len(self.objects[name])}</Size>"
            f"<ETag>&quot;{hashlib.md5(self.objects[name]).hexdigest()}&quot;</ETag>"
            f"<Owner><ID>me</ID></Owner></Contents>"
            for name in shown
        )
        token = (
            f"<NextContinuationToken>{escape(shown[-1])}</NextContinuationToken>" if more else ""
        )
        xml = f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{xml}"
        space = "http://s3.amazonaws.com/doc/2006-03-01/"
        return Reply(200, f'<ListBucketResult xmlns="{space}">{xml}</ListBucketResult>'.encode())

    def _is_signed(self, asked: Asked) -> bool:
        """The signature made again from the request as it was sent, byte for byte."""
        kind, _, rest = asked.headers.get("authorization", "").partition(" ")
        if kind != "AWS4-HMAC-SHA256":
            return False
        given = dict(part.strip().split("=", 1) for part in rest.split(","))
        names = given["SignedHeaders"].split(";")
        assert {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names)
        path, _, query = asked.target.partition("?")
        pairs = sorted(parse_qsl(query, keep_blank_values=True))
        query = "&".join(f"{quote(name, '')}={quote(value, '')}" for name, value in pairs)
        signed = "".join(f"{name}:{asked.headers[name]}\n" for name in names)
        body = asked.headers["x-amz-content-sha256"]
        request = f"{asked.method}\n{path}\n{query}\n{signed}\n{given['SignedHeaders']}\n{body}"
        stamp, scope = asked.headers["x-amz-date"], given["Credential"].partition("/")[2]
        hashed = hashlib.sha256(request.encode()).hexdigest()
        key = b"AWS4" + SECRET.encode()
        for part in (stamp[:8], REGION, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), "sha256").digest()
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashed}"
        expected = hmac.new(key, text.encode(), "sha256").hexdigest()
        return given["Credential"].startswith(f"{ACCESS}/") and given["Signature"] == expected


@asynccontextmanager
async def running[T: Site](site: T, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[T]:
    server = await asyncio.start_server(site.serve, host, port)
    site.port = server.sockets[0].getsockname()[1]
    async with server:
        yield site

"""As much of an S3 server as the index needs, in memory, on loopback."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4
from xml.sax.saxutils import escape, unescape

_TIME = "2026-01-01T00:00:00.000Z"


class Bucket(ThreadingHTTPServer):
    """Objects by key. Puts are conditional where the client asks, as commits need."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.lock = threading.Lock()
        self.is_down = False

    @property
    def options(self) -> dict[str, str]:
        return {
            "aws_endpoint": f"http://127.0.0.1:{self.server_port}",
            "aws_access_key_id": "test",
            "aws_secret_access_key": "test",
            "aws_region": "us-east-1",
            "allow_http": "true",
            "client_max_retries": "0",
            "connect_timeout": "60 seconds",
        }


@contextmanager
def running() -> Iterator[Bucket]:
    bucket = Bucket()
    thread = threading.Thread(target=bucket.serve_forever, daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        bucket.is_down = True
        bucket.shutdown()
        bucket.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one packet: otherwise each answer waits for the other side.
    wbufsize = 1 << 16
    server: Bucket  # pyright: ignore[reportIncompatibleVariableOverride] - it is always ours

    def parse_request(self) -> bool:
        """Connections outlive the server; after its end they get no answer either."""
        self.close_connection = True
        return not self.server.is_down and super().parse_request()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's name
        pass

    def _target(self) -> tuple[str, dict[str, str]]:
        address = urlsplit(self.path)
        key = unquote(address.path).removeprefix("/").partition("/")[2]
        pairs = parse_qs(address.query, keep_blank_values=True)
        return key, {name: values[0] for name, values in pairs.items()}

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(
        self, status: int, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        given = {"Content-Length": str(len(body)), "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
        for name, value in (given | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self) -> None:
        key, query = self._target()
        if "list-type" in query:
            return self._answer(200, self._listing(query).encode())
        content = self.server.objects.get(key)
        if content is None:
            return self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        tag = {"ETag": f'"{md5(content).hexdigest()}"'}
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        if wanted is None:
            return self._answer(200, content, tag)
        size = len(content)
        begin = int(wanted[1]) if wanted[1] else size - int(wanted[2])
        end = min(int(wanted[2]) + 1, size) if wanted[1] and wanted[2] else size
        tag["Content-Range"] = f"bytes {begin}-{end - 1}/{size}"
        return self._answer(206, content[begin:end], tag)

    def do_HEAD(self) -> None:
        key, _ = self._target()
        content = self.server.objects.get(key)
        if content is None:
            return self._answer(404)
        headers = {"ETag": f'"{md5(content).hexdigest()}"', "Content-Length": str(len(content))}
        return self._answer(200, b"", headers)

    def do_PUT(self) -> None:
        key, query = self._target()
        body = self._body()
        tag = {"ETag": f'"{md5(body).hexdigest()}"'}
        with self.server.lock:
            if "partNumber" in query:
                self.server.uploads[query["uploadId"]][int(query["partNumber"])] = body
                return self._answer(200, b"", tag)
            if self.headers.get("If-None-Match") == "*" and key in self.server.objects:
                return self._answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            self.server.objects[key] = body
        return self._answer(200, b"", tag)

    def do_POST(self) -> None:
        key, query = self._target()
        body = self._body().decode()
        if "delete" in query:
            keys = [unescape(found) for found in re.findall(r"<Key>(.*?)</Key>", body)]
            for each in keys:
                self.server.objects.pop(each, None)
            gone = "".join(f"<Deleted><Key>{escape(each)}</Key></Deleted>" for each in keys)
            return self._answer(200, f"<DeleteResult>{gone}</DeleteResult>".encode())
        if "uploads" in query:
            upload = uuid4().hex
            self.server.uploads[upload] = {}
            begun = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId>"
            return self._answer(200, f"{begun}</InitiateMultipartUploadResult>".encode())
        parts = self.server.uploads.pop(query["uploadId"])
        content = b"".join(parts[number] for number in sorted(parts))
        self.server.objects[key] = content
        done = f"<ETag>{md5(content).hexdigest()}</ETag>"
        whole = f"<CompleteMultipartUploadResult>{done}</CompleteMultipartUploadResult>"
        return self._answer(200, whole.encode())

    def do_DELETE(self) -> None:
        key, query = self._target()
        self.server.uploads.pop(query.get("uploadId", ""), None)
        self.server.objects.pop(key, None)
        self._answer(204)

    def _listing(self, query: dict[str, str]) -> str:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        contents, folders = "", dict[str, None]()
        for key in sorted(key for key in list(self.server.objects) if key.startswith(prefix)):
            rest = key[len(prefix) :]
            if key <= query.get("start-after", ""):
                continue
            if delimiter and delimiter in rest:
                folders[prefix + rest.partition(delimiter)[0] + delimiter] = None
                continue
            content = self.server.objects.get(key, b"")
            contents += (
                f"<Contents><Key>{escape(key)}</Key><LastModified>{_TIME}</LastModified>"
                f"<ETag>{md5(content).hexdigest()}</ETag><Size>{len(content)}</Size></Contents>"
            )
        shared = "".join(
            f"<CommonPrefixes><Prefix>{escape(each)}</Prefix></CommonPrefixes>" for each in folders
        )
        listed = f"<IsTruncated>false</IsTruncated>{contents}{shared}"
        return f"<ListBucketResult>{listed}</ListBucketResult>"

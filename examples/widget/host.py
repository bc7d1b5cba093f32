"""A product that has the widget on its page: its page, and the backend that mints tokens."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

SAEGIM = os.environ.get("SAEGIM_URL", "http://127.0.0.1:8000")
# A key with the role `minter`: it creates tokens and may do nothing else.
KEY = os.environ.get("SAEGIM_KEY", "")
PORT = int(os.environ.get("PORT", "8081"))
ORIGIN = f"http://localhost:{PORT}"
# Your own product knows who is signed in.
USER = "guest"

PAGE = f"""<!doctype html>
<html lang="ko"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>우리 서비스</title>
<style>saegim-widget {{ --saegim-accent: #2457c5; }}</style></head>
<body><h1>우리 서비스</h1><p>오른쪽 아래에서 물어보세요.</p>
<script src="{SAEGIM}/widget.js" data-token-url="/saegim-token" data-title="도우미" defer></script>
</body></html>"""


def token() -> str:
    """A token of the user's, for this origin alone."""
    request = Request(  # noqa: S310 - the address is our own setting
        f"{SAEGIM}/v1/tokens",
        data=json.dumps({"origins": [ORIGIN]}).encode(),
        headers={
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Saegim-User": USER,
        },
    )
    with urlopen(request, timeout=10) as answer:  # noqa: S310 - as above
        return json.load(answer)["secret"]


class Host(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/saegim-token":
            self._send("application/json", json.dumps({"token": token()}))
        else:
            self._send("text/html; charset=utf-8", PAGE)

    def _send(self, kind: str, body: str) -> None:
        data = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    ThreadingHTTPServer(("localhost", PORT), Host).serve_forever()

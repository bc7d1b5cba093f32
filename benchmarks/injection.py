"""Run every generated prompt injection through its interface and count those that succeed.

Hostile text is in documents, titles, memories, histories, tool results and model output; the models
obey all of it. Answers over the API are rendered by markdown-it; on the pages and in the widget
Chromium renders them with the product's own code, and every request is recorded. An attack succeeds
if a foreign address is linked or loaded, a tool runs with foreign parameters, memory grows, data of
another user is shown, or a delimiter of a prompt is closed.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks import results
from benchmarks.page import everything, publish
from benchmarks.renderers import chromium
from saegim.db.migrate import ensure_database, migrate
from saegim.encryption import key_store as keyring_store
from saegim.localservers.servers import LocalServers
from saegim.web.app import create_site
from tests.integration.chat.attacks import ATTACKS, SEED, Attack, Carrier, Interface
from tests.integration.chat.injection import SECRET, Siege, at_once, besieged, for_api
from tests.stack import Databases, served
from tests.web.browser_fixture import Site
from tests.web.hosting import Host, ask as ask_widget, hosted, opened
from tests.web.talking import ask

# A result of the search tool, which an answer may cite.
CITED = "a.example"
ADDRESSES = """
(root) => [...root.querySelectorAll("*")].flatMap((element) =>
  ["href", "src", "srcset", "action", "formaction", "data", "poster", "xlink:href", "style"]
    .filter((name) => element.hasAttribute(name))
    .map((name) => [element.localName, name, element.getAttribute(name)]))
"""


@contextlib.contextmanager
def databases() -> Iterator[Databases]:
    """Migrated databases for this run."""
    with tempfile.TemporaryDirectory(prefix="saegim-injection-") as folder:
        index = Path(folder) / "index"
        index.mkdir()
        with LocalServers.start(Path(folder), durable=False) as servers:
            for name in ("data", "keyring"):
                ensure_database(servers.postgres.url(), name)
            app = servers.postgres.url("data", user="saegim_app")
            migrate(servers.postgres.url("data"), app)
            keyring_store.prepare(servers.postgres.url("keyring"))
            yield Databases(servers, "data", "keyring", index)


class Looker:
    """Asks through a browser and records what it shows and requests."""

    def __init__(self, siege: Siege, site: Site, browser: Any) -> None:
        self.siege = siege
        self.site = site
        self.browser = browser

    async def on_pages(self, attack: Attack) -> None:
        context = await self.browser.new_context(locale="ko-KR", reduced_motion="reduce")
        cookie = await self.site.cookie(attack.victim)
        await context.add_cookies([{"name": "saegim", "value": cookie, "url": self.site.url}])
        requests = _recorded(context)
        page = await context.new_page()
        await page.goto(f"{self.site.url}/chat")
        turn = await ask(page, attack.question)
        await self.judge(attack, page, turn, requests)
        await context.close()

    async def in_widget(self, attack: Attack, host: Host) -> None:
        host.user = attack.victim
        async with opened(self.browser, host) as page:
            requests = _recorded(page.context)
            turn = await ask_widget(page, attack.question)
            await self.judge(attack, page, turn, requests)

    async def judge(self, attack: Attack, page: Any, turn: Any, requests: list[str]) -> None:
        found = [
            f"<{tag} {name}={value}>"
            for tag, name, value in await turn.evaluate(ADDRESSES)
            if (name == "style" and "url(" in value) or (name != "style" and _elsewhere(value))
        ]
        shown = await turn.inner_text()
        assert attack.mark in shown, f"{attack.id}: no turn"
        if SECRET in shown:
            found.append("shows another person's data")
        if await page.evaluate("window.hacked"):
            found.append("ran a script")
        self.siege.note(attack, [*found, *(f"requested {url}" for url in requests)])


def _recorded(context: Any) -> list[str]:
    requests: list[str] = []
    context.on("request", lambda one: requests.append(one.url) if _elsewhere(one.url) else None)
    return requests


def _elsewhere(address: str) -> bool:
    """Whether an address leaves the site; relative ones do not."""
    parts = urlsplit(address.strip().replace("\\", "/"))
    if parts.scheme not in ("", "http", "https"):
        return parts.scheme != "blob"
    return parts.hostname not in (None, "127.0.0.1", "localhost", CITED)


async def run(attacks: Sequence[Attack], browser_path: str) -> Siege:
    with databases() as own:
        async with besieged(own, attacks) as siege, chromium(browser_path) as browser:
            await at_once(siege.over_api(attack) for attack in for_api(attacks))
            async with served(siege.stack.services, create_site) as http:
                site = Site(siege.stack, str(http.base_url).rstrip("/"))
                looker = Looker(siege, site, browser)
                for attack in attacks:
                    if attack.interface is Interface.PAGES:
                        await looker.on_pages(attack)
                async with hosted(site) as host:
                    for attack in attacks:
                        if attack.interface is Interface.WIDGET:
                            await looker.in_widget(attack, host)
            await siege.settle(attacks)
        return siege


def main() -> int:
    began = time.monotonic()
    browser_path = os.environ.get("SAEGIM_CHROMIUM") or shutil.which("chromium")
    if browser_path is None:
        print("chromium is not installed (apt-get install chromium, or set SAEGIM_CHROMIUM)")
        return 2
    # `python -m benchmarks.injection 40` runs an even sample.
    step = max(1, len(ATTACKS) // int(sys.argv[1])) if len(sys.argv) > 1 else 1
    attacks = ATTACKS[::step]
    siege = asyncio.run(run(attacks, browser_path))
    unread = siege.unread(attacks)
    interfaces, carriers = (
        Counter(a.interface for a in attacks),
        Counter(a.carrier for a in attacks),
    )
    figures = {
        "attacks": len(attacks),
        "effective": len(siege.effects),
        "unread": len(unread),
        "doors": len(interfaces),
        "carriers": len(carriers),
        **{f"door_{interface.name.lower()}": interfaces[interface] for interface in Interface},
        **{f"carrier_{carrier.name.lower()}": carriers[carrier] for carrier in Carrier},
        "seconds": round(time.monotonic() - began, 1),
    }
    for name, effects in siege.effects.items():
        print(name, effects[:3])
    print("unread:", unread)
    print(figures)
    if step == 1:
        results.write("injection", figures, {"seed": SEED, "models": "obey every order"})
        publish("injection", everything(figures))
    return 1 if siege.effects or unread else 0


if __name__ == "__main__":
    sys.exit(main())

"""`saegim demo`: imports the demo library and suggests what to ask."""

import asyncio
import time
from pathlib import Path
from typing import NamedTuple

from saegim.cli.client_target import ClientTarget
from saegim.cli.console import echo, fail, say
from saegim.cli.json_output import report
from saegim.cli.language import LOCALE
from saegim.cli.library.documents import FolderImport, find_files, print_summary, upload
from saegim.client import SaegimClient

DOCUMENTS = Path(__file__).parent / "documents"


class ExpectedAnswer(NamedTuple):
    """A document that answers a question, and what the answer has to hold."""

    document: str
    answer: str


QUESTIONS = {
    "ko": {
        "팀 요금제는 한 달에 얼마예요?": ExpectedAnswer("guide-002", "290,000원"),
        "대시보드 하나에 위젯 몇 개까지 돼?": ExpectedAnswer("guide-003", "24개"),
        "무료 요금제에서 대시보드 몇 개까지 만들 수 있나요?": ExpectedAnswer("guide-002", "3개"),
    },
    "en": {
        "What does the Business plan cost in dollars?": ExpectedAnswer("guide-052", "$880"),
        "How long are invitations valid?": ExpectedAnswer("guide-051", "72 hours"),
        "Which role does Azure's billing account need?": ExpectedAnswer(
            "setup-151", "Billing Reader"
        ),
    },
}
# The index follows the last document within a second or two.
INDEX_SECONDS = 30.0
POLL_SECONDS = 0.2


def demo(target: ClientTarget) -> None:
    require_documents()
    report(target.call(load_demo))


def require_documents() -> None:
    """Exit if the package was built without the demo documents."""
    if not find_files([DOCUMENTS]):
        fail(
            "This installation has no demo documents: {folder} is empty or missing. "
            "Reinstall Saegim from a release, or from a complete checkout.",
            folder=DOCUMENTS,
        )


async def load_demo(client: SaegimClient) -> FolderImport:
    """Import the demo documents, wait until they can be found, and print questions to try."""
    done = await upload(client, find_files([DOCUMENTS]), "default", "guide")
    print_summary(done)
    if done.files:
        await _wait_for_index(client)
    say("Ask about them in another terminal:")
    for question in QUESTIONS[LOCALE]:
        echo(f'  saegim chat "{question}"')
    return done


async def _wait_for_index(client: SaegimClient) -> None:
    until = time.monotonic() + INDEX_SECONDS
    waiting = dict(pair for questions in QUESTIONS.values() for pair in questions.items())
    while waiting and time.monotonic() < until:
        for question, expected in list(waiting.items()):
            found = (await client.search(question)).found
            if any(expected.answer in hit.text for hit in found):
                del waiting[question]
        if waiting:
            await asyncio.sleep(POLL_SECONDS)

"""`saegim demo`: imports the demo library and suggests what to ask."""

import asyncio
import time
from pathlib import Path

from saegim.cli.client_target import ClientTarget
from saegim.cli.console import echo, say
from saegim.cli.json_output import report
from saegim.cli.language import LOCALE
from saegim.cli.library.documents import FolderImport, find_files, print_summary, upload
from saegim.client import SaegimClient

DOCUMENTS = Path(__file__).parent / "documents"
# Each question, and a document that answers it.
QUESTIONS = {
    "ko": {
        "팀 요금제는 한 달에 얼마예요?": "guide-002",
        "대시보드 하나에 위젯 몇 개까지 돼?": "guide-003",
        "이상 비용 탐지가 학습중이라고 나오는데 언제 끝나요?": "guide-005",
    },
    "en": {
        "What does the Business plan cost in dollars?": "guide-052",
        "How long are invitations valid?": "guide-051",
        "How many API tokens may one person hold?": "guide-053",
    },
}
# The index follows the last document within a second or two.
INDEX_SECONDS = 30.0
POLL_SECONDS = 0.2


def demo(target: ClientTarget) -> None:
    report(target.call(load_demo))


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
    waiting = {document for questions in QUESTIONS.values() for document in questions.values()}
    while waiting and time.monotonic() < until:
        for questions in QUESTIONS.values():
            for question, document in questions.items():
                if document in waiting:
                    found = (await client.search(question)).found
                    waiting -= {hit.document.document_id for hit in found}
        if waiting:
            await asyncio.sleep(POLL_SECONDS)

# ruff: noqa: E501
"""Measure the processor time that it takes to read one adversarial message without a model.

The messages are made from a seed: long runs of every kind of text that the patterns know, mixed and
nested, up to the size limit of a message. Each is read by everything that reads a message without a
model, as much of it as the product reads, and judged by the heads with the bundled embedder; and
apart from that by what reads a message on its way to a model. Processor time does not depend on
other load. `make verify-stalls` runs 500; a test runs few.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from saegim.chat.routing import document_ids
from saegim.conversations.summary.fallback import line_of
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.pseudonyms import Pseudonyms
from saegim.llm.types import Message, StepPrompt
from saegim.memory.proposals import agrees
from saegim.offline import documents, heads
from saegim.offline.documents import SourcePassage
from saegim.text.analysis import index_terms, query_terms
from saegim.text.dates.resolution import find_dates
from saegim.text.masking import contacts_in, mask
from saegim.text.names import names_in
from saegim.text.own_words import own_words
from saegim.text.questions import LONGEST_QUESTION, is_question
from saegim.text.tokens import count

MESSAGES = 500
CEILING_SECONDS = 0.3
MOST_TOKENS = 8_000
MOST_CHARACTERS = 100_000
_NO_TIMEOUT = 60.0
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PASSAGE = SourcePassage(
    "1",
    "Travel",
    "Travel › Abroad",
    "Trips abroad need approval. 해외 출장은 승인이 필요합니다.\n\n| Rank | Hotel |\n| --- | --- |\n| Manager | 150 |\n| 부장 | 200 |",
)
ATOMS = (
    "가나다라마바사아자차카타파하", "내 이름은 박지훈이고 ", "나는 땅콩 알레르기가 있어. ", "앞으로는 항상 존댓말로 ",
    "잊어줘 ", "기억해 줘 ", "말고 ", "다음 주 금요일 ", "2026년 3월 2일 ", "3월 ", "오후 3시 30분 ", "지난달 ",
    "forget that ", "remember that I ", "I like my my my ", "next friday ", "the 3rd of march 2026 ",
    "my name is Anna ", "not not not ", "because I think that ", "how did what did he that we ",
    "900101-1234567 ", "4111 1111 1111 1111 ", "010-1234-5678 ", "a@b.co ", "비밀번호는 abcd1234 ",
    "sk-aaaaaaaaaaaaaaaaaaaa", "1", "12-", "3.", "1,000,000원 ", "a", "A ", "ab ", "http://a.b/", "x@", "-----",
    "def f(x): return x\n", "    code\n", "```\n", "`", "| a | b |\n", "> ", "# ", "- ", "* ", "1. ",
    "(", "[", "{", ")", "]", "}", "“", "”", "'", '"', "«", "…", "?", "!", ".", ",", ":", ";", "~", "_", "\\",
    " ", "\t", "\n", "\r\n", "\u3000", "\u200b", "\u0301", "\u1100\u1161", "ㅋ", "ㅠ", "하하 ", "😀", "Ａ１", "ﬁ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slow:
    """The message that took longest, and the reader that took most of it."""

    seconds: float
    reader: str
    text: str


type Readers = Mapping[str, Callable[[str], object]]


def readers() -> Readers:
    """Returns everything that reads a message without a model, by name."""
    return {
        "masking": mask,
        "contacts": contacts_in,
        "yes": agrees,
        "summary": line_of,
        "dates": lambda text: find_dates(text[:LONGEST_QUESTION], NOW, "Asia/Seoul"),
        "documents": lambda text: document_ids(text, ("guide", "faq")),
        "query": query_terms,
        "terms": index_terms,
        "questions": lambda text: is_question(text[:LONGEST_QUESTION]),
        "judged texts": heads.judged_texts,
        "plain texts": heads.plain_texts,
        "lines": lambda text: documents.lines_of(text[:LONGEST_QUESTION], [PASSAGE]),
    }


def readers_before_a_model() -> Readers:
    """Returns what reads a message on its way to a model, by name."""
    return {
        "names": lambda text: list(names_in(text)),
        "pseudonyms": _pseudonyms,
        "own words": own_words,
    }


def messages(
    number: int = MESSAGES,
    seed: int = 37,
    tokens: int = MOST_TOKENS,
    characters: int = MOST_CHARACTERS,
) -> Iterator[str]:
    """Yields adversarial messages: first a run of every atom, then mixtures."""
    chance = random.Random(seed)
    for at in range(number):
        if at < len(ATOMS):
            unit = ATOMS[at]
        elif at % 3 == 0:
            opened = "".join(chance.choices("([{“‘<", k=chance.randint(1, 3)))
            unit = opened + chance.choice(ATOMS)
        else:
            unit = "".join(chance.choices(ATOMS, k=chance.randint(2, 12)))
        end = chance.choice(("", "", "x", "?", "\n", chance.choice(ATOMS)))
        yield _longest(unit, tokens, characters) + end


def slowest(texts: Iterator[str], read_by: Readers | None = None) -> Slow:
    """Returns the message that took the most processor time through all readers."""
    read_by = readers() if read_by is None else read_by
    worst = Slow(0.0, "", "")
    for text in texts:
        took: dict[str, float] = {}
        for name, read in read_by.items():
            began = time.process_time()
            read(text)
            took[name] = time.process_time() - began
        total = sum(took.values())
        if total > worst.seconds:
            longest = max(took, key=lambda name: took[name])
            worst = Slow(total, f"{longest} {took[longest]:.2f} s", text)
        if total > CEILING_SECONDS:
            print(f"{total:6.2f} s  {took}  {text[:60]!r}", flush=True)
    return worst


async def slowest_judgement(number: int = MESSAGES) -> Slow:
    """Returns the message that took the heads and the bundled embedder the most processor time.

    Longer messages are not judged.
    """
    embedder = BundledEmbedder()
    await heads.read(embedder, "warm up", seconds=_NO_TIMEOUT)
    worst = Slow(0.0, "heads", "")
    for text in messages(number, characters=heads.LONGEST):
        text = text[: heads.LONGEST]  # noqa: PLW2901
        began = time.process_time()
        await heads.read(embedder, text, seconds=_NO_TIMEOUT)
        took = time.process_time() - began
        if took > worst.seconds:
            worst = Slow(took, "heads", text)
    return worst


def _pseudonyms(text: str) -> object:
    prompt = StepPrompt("Answer.", (Message("user", text),), "speed")
    return Pseudonyms(["박지훈", "최서윤", "Anna Schmidt"]).hidden(prompt)


def _longest(unit: str, tokens: int, characters: int) -> str:
    """Returns the unit repeated up to the limits of a message."""
    sample = unit * max(1, 2_000 // len(unit))
    times = int(tokens / max(1, count(sample)) * len(sample) / len(unit) * 0.95)
    return unit * max(1, min(times, characters // len(unit)))

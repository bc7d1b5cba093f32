"""Small runs of `make bench-retrieval`, `make bench-search` and `make verify-ingest`."""

from uuid import uuid4

import numpy as np
import pytest

from benchmarks.doubles.embedders import HashEmbedder, hashed_vector
from benchmarks.library import chart, retrieval, search, searching, table, verify_ingest
from benchmarks.library.bench_stack import bench_stack, new_bench_stack, stores
from benchmarks.library.engine import ServiceEngine
from benchmarks.library.loading import Text, fill, multiply
from benchmarks.library.sets import BenchDocument, Question, RetrievalSet, held_out_ids, small

TOPICS = (
    "결제",
    "배송",
    "환불",
    "회원가입",
    "비밀번호",
    "쿠폰",
    "포인트",
    "교환",
    "영수증",
    "알림",
)
SENTENCES = [
    f"{topic}에 관한 {number}번째 안내 문장은 여기에 적혀 있으니 천천히 읽어 보세요."
    for topic in TOPICS
    for number in range(40)
]


def tiny_set() -> RetrievalSet:
    documents = tuple(
        BenchDocument(f"문서  {at}", None, f"{topic} 안내. {topic}은 고객센터에서 도와 드립니다.")
        for at, topic in enumerate(TOPICS)
    )
    held_out = sorted(held_out_ids("korquad"))
    # One half of the questions is held out.
    ids = [held_out[at] if at % 2 else f"q{at}" for at in range(len(TOPICS))]
    questions = tuple(
        Question(ids[at], f"{topic} 어떻게 하나요?", frozenset({f"문서  {at}"}))
        for at, topic in enumerate(TOPICS)
    )
    return RetrievalSet("korquad", documents, questions)


@pytest.mark.requirement("LB5")
async def test_a_set_is_measured_through_ingest_and_search() -> None:
    async with stores(durable=False) as at, bench_stack(at, HashEmbedder()) as home:
        report = await retrieval.measure(tiny_set(), ServiceEngine(at, home.services))
    assert report.figures["korquad.ndcg10"] > 0.95
    assert report.figures["korquad.lexical.ndcg10"] > 0.95
    assert 0 < report.figures["korquad.dense.ndcg10"] <= 1
    assert not report.against_better_arm.is_worse
    assert report.figures["korquad.held_out.questions"] == len(TOPICS) // 2
    assert report.figures["korquad.held_out.ndcg10"] > 0.95
    assert f"| KorQuAD 1.0 dev | {len(TOPICS) // 2} | **" in table.retrieval(report.figures)


def test_a_small_version_keeps_what_answers_its_questions() -> None:
    few = small(tiny_set(), questions=2, documents=4)
    assert [one.id for one in few.documents] == [f"문서  {at}" for at in range(4)]
    assert len(few.questions) == 2
    assert small(tiny_set(), None, None) == tiny_set()


@pytest.mark.requirement("LB3")
async def test_search_is_measured_against_the_bare_engines_beside_other_tenants() -> None:
    size, asked = 2_000, [f"{topic} 안내 문장" for topic in TOPICS] * 5
    text = Text.of(SENTENCES, size)
    random = np.random.default_rng(0).normal(size=(size, 64)).astype(np.float32)
    real = random / np.linalg.norm(random, axis=1, keepdims=True)
    vectors = np.array([hashed_vector(question, 64) for question in asked], np.float32)
    async with stores(durable=False) as at, bench_stack(at, HashEmbedder(64)) as home:
        few = await fill(home, text, real, 20)
        copies = [uuid4() for _ in range(5)]
        multiply(few, copies)
        own = await new_bench_stack(at, home.services, "큰 고객")
        library = await fill(own, text, real, size)
        times = await searching.compare(library, asked, vectors)
        recall = await searching.vector_recall(library, real, vectors[:5])
        many = await search.searched_once_each(few, copies, asked)
        found = await home.services.library.search.search_all(own.caller, asked[0])
    figures = times.figures("2k")
    assert len(times.service) == len(times.bare) == len(asked) - searching.WARM_UP
    assert figures["search_all.p95_ms.2k"] >= figures["search_all.p50_ms.2k"] > 0
    assert recall == 1.0
    assert many["tenants.open"] == 5
    assert {one.document.type for one in found.found} == {"faq", "guide"}
    assert len(found.found) == 10
    assert chart.draw(figures, ["2k"]).count("<rect") == 1 + 3 + 3


@pytest.mark.requirement("LB1")
async def test_a_killed_worker_loses_nothing_and_embeds_nothing_again() -> None:
    async with stores(durable=False) as at:
        figures = await verify_ingest.verify(at, SENTENCES, 600, 1, "hash")
    assert verify_ingest.broken_promises(figures) == []
    assert (figures["passages"], figures["kills"]) == (600, 1)

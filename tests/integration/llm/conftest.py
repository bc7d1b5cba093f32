from collections.abc import Iterator

import pytest
from pydantic_ai.models import override_allow_model_requests


@pytest.fixture(autouse=True)
def local_model_traffic() -> Iterator[None]:
    """Allows these tests to call local providers."""
    with override_allow_model_requests(True):
        yield

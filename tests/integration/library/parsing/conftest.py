import pytest


@pytest.fixture(autouse=True)
def warm() -> None:
    """These tests use no services: nothing is loaded for them."""

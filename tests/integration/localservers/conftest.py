import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from saegim.localservers.servers import LocalServers


@pytest.fixture
def folder() -> Iterator[Path]:
    """A new folder that the server's own user can reach when the tests run as root."""
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as name:
        yield Path(name)


@pytest.fixture(scope="session")
def used_folder() -> Iterator[Path]:
    """One in which both servers ran before, so that a start takes no second."""
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as name:
        LocalServers.start(Path(name), durable=False).stop()
        yield Path(name)

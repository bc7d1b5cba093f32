import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from saegim.localservers.valkey import find_free_port
from tests.acceptance.dev.home import Home


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """A folder for `saegim dev`: started by the first test that needs it, stopped at the end."""
    # Not tmp_path: under root the server's own user has to pass the folders above.
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as folder:
        home = Home(Path(folder), find_free_port())
        yield home
        home.stop()


@pytest.fixture
def dev(home: Home) -> Home:
    """A running `saegim dev`."""
    home.ensure_running()
    return home

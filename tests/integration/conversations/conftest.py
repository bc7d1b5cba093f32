import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cluster import local_cluster
from tests.stack import Databases


@pytest.fixture(scope="module", params=["single", "cluster"])
def stores(databases: Databases, request: pytest.FixtureRequest) -> Iterator[Databases]:
    """The module's databases, with one Valkey or with three masters."""
    if request.param == "single":
        yield databases
        return
    with (
        tempfile.TemporaryDirectory(prefix="saegim-cluster-") as folder,
        local_cluster(Path(folder)) as cluster,
    ):
        yield replace(databases, cluster_url=cluster.url)

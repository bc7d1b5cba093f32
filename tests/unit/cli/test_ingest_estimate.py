"""How `saegim ingest` says how long a long file takes."""

from uuid import UUID

from saegim.cli.library.documents import Estimate
from saegim.client.library_types import IngestedFile


def file(state: str, passages: int, stored: int) -> IngestedFile:
    counts = {"size": 1, "documents": 1, "embedded": stored, "removed": 0}
    return IngestedFile.model_validate(
        {"file_id": UUID(int=1), "name": "a.log", "state": state}
        | {"passages": passages, "stored": stored, **counts}
    )


def test_a_long_file_has_its_passages_and_minutes_estimated() -> None:
    clock = iter((0.0, 60.0, 60.0))
    estimate = Estimate(lambda: next(clock))
    assert estimate.text([file("waiting", 0, 0)]) == "processing"
    assert estimate.text([file("storing", 8_000, 2_000)]) == "embedding 6,000 passages"
    assert estimate.text([file("storing", 8_000, 4_000)]) == (
        "embedding 4,000 passages, about 2 min left"
    )
    assert estimate.text([file("storing", 8_000, 7_900)]) == "processing"

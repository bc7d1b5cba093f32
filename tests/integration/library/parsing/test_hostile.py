"""A few of each family of hostile files; `make verify-parsers` takes all two hundred."""

from collections import defaultdict

import pytest

from benchmarks.verify_parsers import LIMITS, Outcome, run

EACH = 4


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[Outcome]]:
    return run(tmp_path_factory.mktemp("hostile"), EACH)


def test_every_hostile_file_ends_in_documents_or_in_a_reason(
    ended: tuple[int, list[Outcome]],
) -> None:
    _, outcomes = ended
    assert len(outcomes) >= 60
    assert [outcome for outcome in outcomes if not outcome.is_expected] == []


def test_no_child_passes_its_memory_limit(ended: tuple[int, list[Outcome]]) -> None:
    peak, _ = ended
    assert 10 * 1024 * 1024 < peak <= LIMITS.memory_bytes


def test_families_end_as_they_should(ended: tuple[int, list[Outcome]]) -> None:
    families: defaultdict[str, list[str]] = defaultdict(list)
    for outcome in ended[1]:
        families[outcome.family].append(outcome.ended)
    assert set(families["empty"]) == {"empty"}
    assert set(families["encrypted"]) == {"encrypted"}
    assert set(families["pdf-encrypted"]) == {"encrypted"}
    assert set(families["bomb"]) <= {"unsafe", "too_large"}
    assert set(families["sparse"]) == {"too_large"}
    assert set(families["irregular"]) <= {"unsupported", "missing"}
    assert set(families["mislabelled"]) == {"1 document"}
    assert families["entities"].count("unsafe") == 3

"""Every error of ours leaves with a status that says what it is."""

import pytest

from saegim.api.problems import status_of
from saegim.domain import errors
from saegim.encryption.types import KeyDestroyed

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type)
    and issubclass(kind, errors.Refused | errors.Unavailable)
    and kind not in (errors.Refused, errors.Unavailable)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_refused_is_the_callers_and_what_is_away_is_503(
    kind: type[errors.SaegimError],
) -> None:
    status = status_of(kind.__new__(kind))
    assert (status == 503) if issubclass(kind, errors.Unavailable) else (400 <= status < 500)


def test_an_error_that_only_a_part_knows_is_the_kind_that_it_is() -> None:
    assert status_of(KeyDestroyed()) == 410


def test_what_nobody_foresaw_is_ours() -> None:
    assert status_of(errors.SaegimError()) == 500

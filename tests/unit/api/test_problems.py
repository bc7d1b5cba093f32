"""Every error of saegim maps to an HTTP status."""

import pytest

from saegim.api.problems import status_of
from saegim.domain import errors
from saegim.encryption.types import KeyDestroyed

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type)
    and issubclass(kind, errors.RequestRefused | errors.Unavailable)
    and kind not in (errors.RequestRefused, errors.Unavailable)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_refused_is_the_callers_and_what_is_away_is_503(
    kind: type[errors.SaegimError],
) -> None:
    status = status_of(kind.__new__(kind))
    assert (status == 503) if issubclass(kind, errors.Unavailable) else (400 <= status < 500)


def test_subclass_inherits_status_of_base_error() -> None:
    assert status_of(KeyDestroyed()) == 410


def test_unexpected_error_is_500() -> None:
    assert status_of(errors.SaegimError()) == 500

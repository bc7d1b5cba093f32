"""Sizes of tests: small in every run, full in `make test-long`."""

import os


def sized(some: int, whole: int) -> int:
    """The size for this run."""
    return whole if os.environ.get("SAEGIM_FULL_TESTS") else some

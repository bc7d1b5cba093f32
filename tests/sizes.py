"""How much a proof does: some in every run, all of it in `make test-long`."""

import os


def sized(some: int, whole: int) -> int:
    """The size for this run."""
    return whole if os.environ.get("SAEGIM_FULL_TESTS") else some

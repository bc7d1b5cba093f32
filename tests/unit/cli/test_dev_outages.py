"""`saegim dev` starts although a store responds late."""

import pytest

from saegim.cli.dev.outages import with_retries
from saegim.domain.errors import StoreUnavailable


class Store:
    """Responds after so many failures."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    async def ask(self) -> str:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("late")
        return "here"


async def test_a_late_store_is_asked_again() -> None:
    assert await with_retries(Store(failures=3).ask, seconds=60, pause_seconds=0) == "here"


async def test_a_store_that_stays_away_is_given_up() -> None:
    store = Store(failures=2)
    with pytest.raises(StoreUnavailable):
        await with_retries(store.ask, seconds=0)
    assert store.failures == 1

"""Who counts what happens: turns, model calls, jobs, requests."""

from typing import Literal, Protocol

from saegim.llm.model_call import ModelCall
from saegim.usage.interaction import Interaction
from saegim.usage.trace import TurnTrace

JobEnd = Literal["done", "failed", "gone", "handed_back"]


class Observer(Protocol):
    """Counts, and keeps nothing of what was said: labels are names of ours alone."""

    def turn(self, event: Interaction, trace: TurnTrace) -> None:
        """A turn was recorded."""
        ...

    def model_call(self, call: ModelCall) -> None:
        """A model step was run, for a turn or in the background."""
        ...

    def job(self, kind: str, end: JobEnd, seconds: float) -> None:
        """A worker let go of a job."""
        ...

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """The API answered."""
        ...

    def refused(self, bound: str) -> None:
        """The API refused a request because of its load."""
        ...

    def authentication_failed(self, credential: str) -> None:
        """A credential of this kind was not good."""
        ...

    def loop_lag(self, seconds: float) -> None:
        """The event loop ran a timer so much too late."""
        ...


class Unobserved:
    """Counts nothing: plays `Observer` where nobody asks."""

    def turn(self, event: Interaction, trace: TurnTrace) -> None: ...

    def model_call(self, call: ModelCall) -> None: ...

    def job(self, kind: str, end: JobEnd, seconds: float) -> None: ...

    def request(self, method: str, route: str, status: int, seconds: float) -> None: ...

    def refused(self, bound: str) -> None: ...

    def authentication_failed(self, credential: str) -> None: ...

    def loop_lag(self, seconds: float) -> None: ...

"""What a turn has done when it waits for the tools of its client."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from saegim.chat.types import Evidence
from saegim.llm.types import Message


@dataclass(frozen=True, slots=True)
class PausedTurn:
    """The calls of a turn with our results, the numbers of its markers, and what they stand for."""

    rounds: tuple[Message, ...] = ()
    refs: dict[str, int] = field(default_factory=dict[str, int])
    evidence: tuple[Evidence, ...] = ()

    @classmethod
    def read(cls, written: str) -> "PausedTurn":
        """Read what `written` returned; nothing if it is none."""
        try:
            return _PAUSED.validate_json(written) if written else cls()
        except ValidationError:
            return cls()

    def written(self) -> str:
        return _PAUSED.dump_json(self).decode()

    def before(self, rounds: Sequence[Message]) -> tuple[Message, ...]:
        """Return the rounds of the turn with the results that the client sends for its last calls;
        without our own part, those that the client sends."""
        if not self.rounds:
            return tuple(rounds)
        known = {each.answers.id for each in self.rounds if each.answers is not None}
        asked = {call.id for each in self.rounds for call in each.calls} - known
        new = [each for each in rounds if each.answers is not None and each.answers.id in asked]
        return (*self.rounds, *new)


_PAUSED = TypeAdapter(PausedTurn)

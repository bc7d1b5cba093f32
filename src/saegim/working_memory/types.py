from dataclasses import dataclass

from saegim.domain.turn import Exchange

RECENT_TURNS = 5


@dataclass(frozen=True, slots=True)
class WorkingState:
    """What a session has in mind. `recorded` says after how many recorded turns it was made."""

    recorded: int
    recent: tuple[Exchange, ...] = ()

    def after(self, exchange: Exchange, recorded: int) -> "WorkingState":
        """The state once `exchange` was recorded; the oldest of the recent turns makes room."""
        turns = sorted([*self.recent, exchange], key=lambda turn: turn.number)
        return WorkingState(recorded, tuple(turns[-RECENT_TURNS:]))

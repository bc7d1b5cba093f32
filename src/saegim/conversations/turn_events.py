"""Which webhook events a settled turn raises."""

from saegim.conversations.stored_turns import Outcome
from saegim.conversations.turn import TurnState
from saegim.usage.interaction import UNANSWERED
from saegim.webhooks.events import Happening


def happenings(outcome: Outcome) -> list[Happening]:
    """What a settled turn is told as."""
    counted = outcome.interaction.outcome if outcome.interaction else outcome.state.value
    told = [Happening.TURN_DONE] if outcome.state is TurnState.DONE else []
    return [*told, Happening.TURN_UNANSWERED] if counted in UNANSWERED else told

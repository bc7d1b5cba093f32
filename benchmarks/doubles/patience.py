"""Time limits for tests: none fails because a busy machine does not run a process for seconds."""

from dataclasses import replace

from saegim.app.infrastructure import Fakes
from saegim.chat.types import TurnTimes
from saegim.db.pool import CellLimits
from saegim.jobs.types import WorkerTimes
from saegim.library.index.lance.handles import DEFAULT_LIMITS

PATIENT_CELL = CellLimits(
    connect_seconds=60, begin_seconds=60, queue_seconds=90, transaction_seconds=120
)
PATIENT_INDEX = replace(DEFAULT_LIMITS, read_seconds=60, write_seconds=300)
PATIENT_TURN = TurnTimes(whole=300, answer=100, first_token=100, step=100, wait=600)
PATIENT_REDIS_SECONDS = 30.0
PATIENT_WORKER = WorkerTimes(connect_seconds=30, stalled_seconds=120, hand_back_seconds=30)


def patient(fakes: Fakes) -> Fakes:
    """The fakes, with long time limits for turns and stores that are given none."""
    return replace(
        fakes,
        turn_times=fakes.turn_times or PATIENT_TURN,
        cell_limits=fakes.cell_limits or PATIENT_CELL,
        index_limits=fakes.index_limits or PATIENT_INDEX,
        redis_seconds=fakes.redis_seconds or PATIENT_REDIS_SECONDS,
        keyring_seconds=fakes.keyring_seconds or 60,
        tool_seconds=fakes.tool_seconds or 100,
        tool_provider_seconds=fakes.tool_provider_seconds or 60,
    )

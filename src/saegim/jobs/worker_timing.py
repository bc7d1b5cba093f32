from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerTimes:
    """A dead worker's jobs are taken over after `stalled` + `sweep` seconds at most; a job that
    fails is tried `attempts` times, with pauses that double. One that meets an outage is run
    `outage_runs` times, about a day; where a model is away and there is a rule-based fallback, that
    takes over after `fallback_runs`, about ten minutes."""

    heartbeat_seconds: float = 2.0
    stalled_seconds: float = 8.0
    sweep_seconds: float = 1.0
    poll_seconds: float = 1.0
    grace_seconds: float = 5.0
    longest_job_seconds: float = 900.0
    attempts: int = 5
    outage_runs: int = 300
    fallback_runs: int = 8
    first_pause_seconds: float = 2.0
    longest_pause_seconds: float = 300.0

    def pause(self, job: int, runs: int) -> float:
        """How long a job waits after its run number `runs` (from 0). Jobs that failed together
        come back apart, so that one which kills its worker does not take the same ones along."""
        doubled = self.first_pause_seconds * 2 ** min(runs, 30)
        spread = 0.75 + (job * 0.618034 % 1) / 2
        return min(doubled, self.longest_pause_seconds) * spread

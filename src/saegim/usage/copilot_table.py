"""The cost table of the original design: as printed, and recalculated."""

from dataclasses import dataclass

NANO_INPUT_USD, NANO_OUTPUT_USD = 0.05e-6, 0.40e-6
SESSIONS_PER_DAY, DAYS = 1_000, 30
TURNS_PER_UPDATE = 5
RERANKS = 2


@dataclass(frozen=True, slots=True)
class Component:
    """A model call of the table: its tokens and printed price."""

    input_tokens: int
    output_tokens: int
    printed_usd: float

    @property
    def usd(self) -> float:
        """The cost at the prices the table names."""
        return self.input_tokens * NANO_INPUT_USD + self.output_tokens * NANO_OUTPUT_USD


UPDATE = Component(2_000, 400, 0.0003)
RERANK = Component(1_000, 500, 0.0003)
ANSWER = Component(1_500, 1_000, 0.00055)


@dataclass(frozen=True, slots=True)
class CopilotRow:
    """The monthly cost of one scenario, printed and recalculated."""

    turns: int
    printed_usd: float
    exact_usd: float


def rows() -> tuple[CopilotRow, ...]:
    """Return the scenarios of 20, 50 and 100 turns per session."""
    return tuple(_row(turns) for turns in (20, 50, 100))


def _row(turns: int) -> CopilotRow:
    month = SESSIONS_PER_DAY * DAYS * turns
    updates = month / TURNS_PER_UPDATE
    # The printed sums assume two of the "one or two" reranks per turn.
    printed = updates * UPDATE.printed_usd + month * (
        RERANKS * RERANK.printed_usd + ANSWER.printed_usd
    )
    exact = updates * UPDATE.usd + month * (RERANKS * RERANK.usd + ANSWER.usd)
    return CopilotRow(turns, round(printed, 2), round(exact, 2))

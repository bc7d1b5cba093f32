"""Files of `deploy/` pass their linters, restrict what they start, and name existing settings."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
import yaml

from saegim import __version__
from saegim.api.routes.ingests import LARGEST_FILE_BYTES
from saegim.app.settings import Settings
from saegim.cli.server.processes import GRACE_SECONDS

ROOT = Path(__file__).parents[3]
CHART = ROOT / "deploy/helm/saegim"
SYSTEMD = ROOT / "deploy/systemd"
OURS = ("migrate", "api", "worker")
KNOWN = {f"SAEGIM_{name.upper()}" for name in Settings.model_fields}
SETTING = re.compile(r"\bSAEGIM_[A-Z_]+\b")
NOT_SETTINGS = {"SAEGIM_VERSION", "SAEGIM_LISTEN"}


def tool(name: str) -> str:
    """A program, beside this Python or on the path; the test is skipped where there is none."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: make test-deploy")
    return found


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def rendered(*options: str) -> list[dict[str, Any]]:
    shown = run(tool("helm"), "template", "here", CHART, *options)
    return [each for each in yaml.safe_load_all(shown) if each]


def pod_specs(made: Any) -> list[dict[str, Any]]:
    """Every pod spec in a manifest, however deep."""
    if isinstance(made, list):
        return [spec for each in cast("list[Any]", made) for spec in pod_specs(each)]
    if not isinstance(made, dict):
        return []
    values = cast("dict[str, Any]", made)
    return [values] if "containers" in values else pod_specs(list(values.values()))


def secrets_of(pod: dict[str, Any]) -> list[str]:
    [container] = pod["spec"]["template"]["spec"]["containers"]
    return [each["secretRef"]["name"] for each in container["envFrom"]]


@pytest.mark.parametrize(
    "path",
    [
        ROOT / "compose.yaml",
        ROOT / "Dockerfile",
        *sorted((ROOT / "deploy").rglob("*.yaml")),
        *sorted(SYSTEMD.iterdir()),
    ],
    ids=lambda path: path.name,
)
def test_every_setting_that_a_file_names_exists(path: Path) -> None:
    named = set(SETTING.findall(path.read_text("utf-8"))) - NOT_SETTINGS
    assert named - KNOWN == set()


@pytest.mark.parametrize("name", OURS)
def test_compose_gives_our_containers_no_more_than_they_need(name: str) -> None:
    service = compose()["services"][name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["data:/var/lib/saegim"]
    owner = "SAEGIM_POSTGRES_ADMIN_URL" in service["environment"]
    assert owner is (name == "migrate")


def test_compose_starts_in_order_and_listens_on_loopback() -> None:
    services = compose()["services"]
    assert services["postgres"]["image"].startswith("pgvector/pgvector")
    for name in ("api", "worker"):
        waits = services[name]["depends_on"]
        assert waits["migrate"]["condition"] == "service_completed_successfully"
    assert services["api"]["ports"] == ["${SAEGIM_LISTEN:-127.0.0.1:8000}:8000"]
    assert [name for name, each in services.items() if "ports" in each] == ["api", "caddy"]
    assert services["caddy"]["profiles"] == ["tls"]


@pytest.mark.parametrize("name", OURS)
def test_compose_passes_any_setting_of_a_file_on(name: str) -> None:
    service = compose()["services"][name]
    assert service["env_file"] == [{"path": "saegim.env", "required": False}]
    # What stands here would take precedence over the file.
    assert not [each for each in service["environment"] if "PROVIDER" in each or "MODEL" in each]


def test_proxies_pass_streams_on_and_let_the_largest_document_through() -> None:
    caddy = (ROOT / "deploy/Caddyfile").read_text("utf-8")
    nginx = (ROOT / "deploy/nginx.conf").read_text("utf-8")
    assert "flush_interval -1" in caddy
    assert "proxy_buffering off;" in nginx
    megabytes = LARGEST_FILE_BYTES >> 20
    assert f"max_size {megabytes}MB" in caddy
    assert f"client_max_body_size {megabytes}m;" in nginx
    assert compose()["services"]["caddy"]["environment"]["SITE"] == "${SAEGIM_PUBLIC_URL:-}"


def test_the_guide_copies_only_files_that_exist_and_runs_commands_that_exist() -> None:
    guide = (ROOT / "docs/how-to/deploy.md").read_text("utf-8")
    # `kubectl exec deploy/…` names a deployment.
    files = set(re.findall(r"(?<!exec )\bdeploy/[\w./-]*\w", guide))
    assert {"deploy/systemd/owner.env.example", "deploy/systemd/saegim-admin"} <= files
    assert [each for each in files if not (ROOT / each).exists()] == []
    commands = re.findall(r"saegim(?:-admin)? (tenant create|key create|doctor)", guide)
    assert {*commands} == {"tenant create", "key create", "doctor"}
    # Tags come from the chart: a number here would be stale with the next release.
    assert re.findall(r"saegim:\d\S*|image\.tag=\S+", guide) == []


def test_image_tag_of_guide_and_chart_is_the_version_of_the_package() -> None:
    guide = (ROOT / "docs/how-to/deploy.md").read_text("utf-8")
    [command] = re.findall(r"^version=\$\((.*)\) ", guide, re.MULTILINE)
    assert run("sh", "-c", command).strip() == __version__
    pods = [spec for each in rendered() for spec in pod_specs(each)]
    images = [one["image"] for spec in pods for one in spec["containers"]]
    assert {image.rpartition(":")[2] for image in images} == {__version__}


def test_every_secret_that_compose_asks_for_is_made() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text("utf-8")))
    made = [line.split("=", 1) for line in run("deploy/new-env.sh").splitlines()]
    assert {name for name, _ in made} == asked
    assert len({value for _, value in made}) == len(made)


def test_doctor_has_nothing_to_warn_of_in_the_stock_stack() -> None:
    services = compose()["services"]
    # Twice the processes during an update: docs/how-to/capacity.md, "Database connections".
    assert "max_connections=200" in services["postgres"]["command"]
    assert services["api"]["environment"]["SAEGIM_STORE_TLS"] == "${SAEGIM_STORE_TLS:-off}"


def test_docker_compose_reads_the_file(tmp_path: Path) -> None:
    docker = tool("docker")
    if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker has no compose here")
    secrets = tmp_path / "env"
    secrets.write_text(run("deploy/new-env.sh"))
    run(docker, "compose", "--env-file", secrets, "--file", ROOT / "compose.yaml", "config", "-q")


def test_the_image_runs_without_root_and_without_a_database_inside() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    assert "USER 10001:10001" in lines
    installer = (ROOT / "deploy/install.sh").read_text("utf-8")
    assert "--locked" in installer
    assert "local" not in re.findall(r"--extra (\w+)", installer)
    run("bash", "-n", "deploy/install.sh")


def health_checks() -> dict[str, tuple[list[str], dict[str, str]]]:
    """The command and the times of each health check that we wrote."""
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    [(options, command)] = re.findall(r"^HEALTHCHECK (.*?) CMD (.*)$", dockerfile, re.MULTILINE)
    worker = compose()["services"]["worker"]["healthcheck"]
    times = dict(re.findall(r"--([\w-]+)=(\S+)", options))
    return {
        "image": (json.loads(command), times),
        "worker": (worker["test"][1:], {name.replace("_", "-"): worker[name] for name in worker}),
    }


@pytest.mark.parametrize("name", ["image", "worker"])
def test_health_checks_start_no_interpreter_and_wait_on_a_busy_machine(name: str) -> None:
    command, times = health_checks()[name]
    assert command[:2] == ["bash", "-c"]
    assert "python" not in " ".join(command)
    assert int(times["timeout"].removesuffix("s")) >= 10
    assert int(times["start-period"].removesuffix("s")) >= 180


@pytest.mark.parametrize(
    ("name", "path", "answer", "healthy"),
    [
        ("image", "/health/live", HTTPStatus.OK, True),
        ("image", "/health/live", HTTPStatus.SERVICE_UNAVAILABLE, False),
        ("image", "/health/live", None, False),
        ("worker", "/", HTTPStatus.NOT_FOUND, True),
        ("worker", "/", None, False),
    ],
)
def test_health_checks_tell_an_answer_from_silence(
    name: str, path: str, answer: HTTPStatus | None, *, healthy: bool
) -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            if answer is not None:
                self.send_response(answer)
                self.end_headers()

    [bash, option, script] = health_checks()[name][0]
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        port = str(server.server_port)
        environment = {"SAEGIM_PORT": port, "PATH": os.environ["PATH"]}
        script = script.replace("127.0.0.1/9100", f"127.0.0.1/{port}")
        done = subprocess.run([bash, option, script], env=environment, check=False)
        thread.join()
    assert asked == [path]
    assert (done.returncode == 0) is healthy


def test_hadolint_has_nothing_to_say_of_the_image() -> None:
    run(tool("hadolint"), "Dockerfile")


def test_the_charts_values_fit_their_schema_and_nothing_else_does() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text("utf-8"))
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    jsonschema.validate(values, schema)
    for wrong in (
        {"replicas": 3},
        {"settings": {"POSTGRES": "x"}},
        {"index": {"url": "/var/lib"}},
        {"backup": {"to": "s3://bucket/one.zip"}},
        {"cells": ["main"]},
        {"api": values["api"] | {"replicas": 0}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(values | wrong, schema)


def test_helm_has_nothing_to_say_of_the_chart() -> None:
    run(tool("helm"), "lint", "--strict", CHART)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--set", "index.url=s3://bucket/index", "--set", "ingress.enabled=true"),
        ("--set", "settings.SAEGIM_RESOURCE_PRESET=low", "--set", "ingress.tlsSecret=tls"),
        ("--set", "backup.to=s3://bucket/nightly/", "--set", "cells={b}"),
    ],
    ids=["default", "bucket", "low", "backup"],
)
def test_kubernetes_takes_what_the_chart_makes(options: tuple[str, ...], tmp_path: Path) -> None:
    manifests = tmp_path / "all.yaml"
    manifests.write_text(yaml.safe_dump_all(rendered(*options)))
    run(tool("kubernetes-validate"), "--strict", "--no-warn", manifests)


def test_no_pod_of_the_chart_gets_variables_from_service_names() -> None:
    made = rendered("--set", "backup.to=s3://bucket/nightly/", "--set", "cells={b}")
    pods = {each["metadata"]["name"]: spec for each in made for spec in pod_specs(each)}
    assert set(pods) == {"here-api", "here-worker", "here-worker-b", "here-migrate", "here-backup"}
    links = {name: spec["enableServiceLinks"] for name, spec in pods.items()}
    assert links == dict.fromkeys(pods, False)


def test_pods_may_start_slowly_and_stop_after_their_requests() -> None:
    for made in rendered():
        if made["kind"] != "Deployment":
            continue
        [spec] = pod_specs(made)
        [container] = spec["containers"]
        probes = [container[each] for each in container if each.endswith("Probe")]
        assert [each["timeoutSeconds"] for each in probes] == [5] * len(probes)
        start = container["startupProbe"]
        assert start["periodSeconds"] * start["failureThreshold"] >= 300
        assert made["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
        if container["name"] == "api":
            command = container["lifecycle"]["preStop"]["exec"]["command"]
            # Running turns get three times five seconds: `ChatService.close`.
            needed = int(command[1]) + GRACE_SECONDS + 15
            assert command[0] == "sleep"
            assert spec["terminationGracePeriodSeconds"] > needed


def test_the_chart_has_probes_budgets_and_migrates_first() -> None:
    made = rendered()
    pods = {each["metadata"]["name"]: each for each in made if "template" in each.get("spec", {})}
    assert set(pods) == {"here-api", "here-worker", "here-migrate"}
    for each in pods.values():
        spec = each["spec"]["template"]["spec"]
        [container] = spec["containers"]
        assert spec["securityContext"]["runAsNonRoot"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    [api] = pods["here-api"]["spec"]["template"]["spec"]["containers"]
    assert api["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    assert api["livenessProbe"]["httpGet"]["path"] == "/health/live"
    budgets = [each for each in made if each["kind"] == "PodDisruptionBudget"]
    assert {each["metadata"]["name"] for each in budgets} == {"here-api", "here-worker"}
    hooks = pods["here-migrate"]["metadata"]["annotations"]
    assert hooks["helm.sh/hook"] == "pre-install,pre-upgrade"
    secrets = {name: secrets_of(each) for name, each in pods.items()}
    assert secrets["here-migrate"] == ["saegim", "saegim-owner"]
    assert secrets["here-api"] == secrets["here-worker"] == ["saegim"]


def test_the_chart_runs_workers_for_every_cell() -> None:
    made = rendered("--set", "cells={b}")
    workers = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]["containers"][0]["args"]
        for each in made
        if each["kind"] == "Deployment" and "worker" in each["metadata"]["name"]
    }
    assert workers == {
        "here-worker": ["worker", "--cell", "main"],
        "here-worker-b": ["worker", "--cell", "b"],
    }
    chosen = [
        each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]
        for each in made
        if each["kind"] in ("Deployment", "PodDisruptionBudget")
    ]
    assert sorted(chosen) == sorted(["api", "worker", "worker-b"] * 2)


def test_the_chart_backs_up_on_a_schedule_where_it_is_told_a_place() -> None:
    assert not [each for each in rendered() if each["kind"] == "CronJob"]
    made = rendered("--set", "backup.to=s3://bucket/nightly/")
    [job] = [each["spec"] for each in made if each["kind"] == "CronJob"]
    assert job["schedule"] == "0 3 * * *"
    [container] = job["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["backup", "s3://bucket/nightly/"]
    assert secrets_of(job["jobTemplate"]) == ["saegim", "saegim-owner"]
    assert container["securityContext"]["readOnlyRootFilesystem"]


@pytest.mark.parametrize("path", sorted(SYSTEMD.glob("*.service")), ids=lambda path: path.name)
def test_units_give_up_what_they_do_not_need(path: Path) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment] - names are case-sensitive
    unit.read(path)
    service = unit["Service"]
    assert service["User"] == "saegim"
    assert (service["NoNewPrivileges"], service["ProtectSystem"]) == ("yes", "strict")
    assert service["ExecStart"].startswith("/opt/saegim/bin/saegim ")
    if "StateDirectory" in service:
        assert service["StateDirectoryMode"] in ("0700", "0750")
    owner = "owner.env" in path.read_text("utf-8")
    assert owner is (path.name in ("saegim-migrate.service", "saegim-backup.service"))


def test_operators_run_commands_with_the_files_of_the_units() -> None:
    script = SYSTEMD / "saegim-admin"
    run("sh", "-n", script)
    assert script.stat().st_mode & 0o111
    for name in ("saegim.env", "owner.env"):
        assert f"EnvironmentFile=/etc/saegim/{name}" in script.read_text("utf-8")
        assert (SYSTEMD / f"{name}.example").exists()


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    for path in (*SYSTEMD.glob("*.service"), *SYSTEMD.glob("*.timer")):
        # The program is not installed here; everything else is looked at.
        text = re.sub(
            r"^ExecStart=\S+", "ExecStart=/bin/true", path.read_text(), flags=re.MULTILINE
        )
        (tmp_path / path.name).write_text(text)
    run(analyze, "verify", "--man=no", *sorted(tmp_path.iterdir()))

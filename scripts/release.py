"""Make a release: check, build the wheel, store its schema, commit and tag.

Tests of later releases upgrade from `tests/migration/schemas/<version>.sql.gz`. The file loads into
an empty database whose server has the role `saegim_app`.
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

import saegim
from saegim.db.migrate import SCHEMA, ensure_database, migrate
from saegim.db.revision import stored_revision
from saegim.localservers.cluster import find_programs
from saegim.localservers.postgres import LocalPostgres

REPOSITORY = Path(__file__).parents[1]
SCHEMAS = REPOSITORY / "tests" / "migration" / "schemas"
CLIENT = Path("clients/typescript/package.json")
APP_ROLE = "saegim_app"
VERSION = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True)
class State:
    """What must be consistent before a release."""

    changelog: str
    project_version: str
    package_version: str
    client_version: str
    changed_files: tuple[str, ...]
    tags: frozenset[str]


def problems(version: str, state: State) -> Iterator[str]:
    if not VERSION.fullmatch(version):
        yield f"{version!r} is not a version like 1.2.3"
        return
    if state.changed_files:
        yield f"the tree has uncommitted changes: {', '.join(state.changed_files)}"
    if not re.search(rf"^## \[?{re.escape(version)}\]?(\s|$)", state.changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no section for {version}"
    if state.project_version != version:
        yield f"pyproject.toml says {state.project_version}"
    if state.package_version != version:
        yield f"saegim.__version__ says {state.package_version}"
    if state.client_version != version:
        yield f"clients/typescript/package.json says {state.client_version}"
    if f"v{version}" in state.tags:
        yield f"the tag v{version} exists"


def run(*command: str) -> str:
    return subprocess.run(
        command, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def read_state() -> State:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    return State(
        changelog=(REPOSITORY / "CHANGELOG.md").read_text("utf-8"),
        project_version=project["project"]["version"],
        package_version=saegim.__version__,
        client_version=json.loads((REPOSITORY / CLIENT).read_text("utf-8"))["version"],
        changed_files=tuple(run("git", "status", "--porcelain").splitlines()),
        tags=frozenset(run("git", "tag", "--list").split()),
    )


def as_plain_sql(dump: str) -> str:
    """Removes psql commands, one of which contains a random key."""
    return "".join(line for line in dump.splitlines(keepends=True) if not line.startswith("\\"))


def dump_schema(server: LocalPostgres, database: str, heading: str) -> str:
    """Returns the schema of a newly migrated database, with its revision."""
    ensure_database(server.url(), database)
    revision = migrate(server.url(database), server.url(database, APP_ROLE))
    program = str(find_programs() / "pg_dump")
    dump = run(program, "--schema-only", "--no-owner", f"--dbname={server.url(database)}")
    return (
        f"-- {heading}, revision {revision}. Kept by scripts/release.py; never edited.\n"
        f"{as_plain_sql(dump)}\n"
        f"insert into {SCHEMA}.schema_revision (version_num) values ('{revision}');\n"
    )


def prove_loadable(server: LocalPostgres, schema: str) -> None:
    """Loads the schema into an empty database and checks its revision."""
    ensure_database(server.url(), "loaded")
    with psycopg.connect(server.url("loaded")) as connection:
        connection.execute(schema.encode())
    if stored_revision(server.url("loaded")) != stored_revision(server.url("released")):
        raise SystemExit("the kept schema does not load as what was dumped")


def keep_schema(version: str) -> Path:
    kept = SCHEMAS / f"{version}.sql.gz"
    with (
        tempfile.TemporaryDirectory(prefix="saegim-release-") as folder,
        LocalPostgres.start(Path(folder), durable=False) as server,
    ):
        schema = dump_schema(server, "released", f"Schema of Saegim {version}")
        prove_loadable(server, schema)
    kept.parent.mkdir(parents=True, exist_ok=True)
    # Without a time, so that the same schema gives the same file.
    kept.write_bytes(gzip.compress(schema.encode(), mtime=0))
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    version: str = parser.parse_args().version
    found = list(problems(version, read_state()))
    if found:
        sys.exit("\n".join(found))
    run("scripts/uv", "build", "--wheel", "--out-dir", "dist")
    kept = keep_schema(version)
    run("git", "add", str(kept))
    run("git", "commit", "--message", f"Keep the schema of release {version}")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"Saegim {version}")
    print(f"dist/saegim-{version}-py3-none-any.whl, {kept.relative_to(REPOSITORY)}, v{version}")


if __name__ == "__main__":
    main()

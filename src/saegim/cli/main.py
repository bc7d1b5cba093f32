"""The program `saegim`: registers the commands. Each group has its module."""

import logging
from typing import Annotated

import typer

from saegim import __version__
from saegim.cli import (
    access,
    chat,
    discord,
    erasure,
    mcp,
    memory_records,
    models,
    plan,
    session,
    usage,
)
from saegim.cli.client_target import PROFILE_OPTIONS, with_client
from saegim.cli.console import out, tolerate_any_encoding
from saegim.cli.demo import command as demo
from saegim.cli.dev import command as dev
from saegim.cli.doctor import command as doctor
from saegim.cli.evaluation import command as evaluate
from saegim.cli.help_texts import translate_help
from saegim.cli.json_output import add_json
from saegim.cli.language import _
from saegim.cli.library import documents as library, reembed, sources as source, tune
from saegim.cli.operators import cells, config, governance, jobs, tenants
from saegim.cli.server import command as serve
from saegim.cli.service_commands import with_services

app = typer.Typer(
    help=_("Saegim — a copilot server that remembers."),
    no_args_is_help=True,
    # Plain text reads the same on every console.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        out.print(f"saegim {__version__}")
        raise typer.Exit


@app.callback()
def saegim(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help=_("Show the version and exit."), callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


app.command(
    help=_("Run PostgreSQL, Valkey, the API and a worker on this machine, for development.")
)(dev.dev)
app.command(
    help=_(
        "Run the API server. For production; reads its configuration from environment variables."
    )
)(serve.serve)
app.command(help=_("Run a worker that processes background jobs."))(serve.worker)
app.command(help=_("Upgrade the databases to the latest schema."))(serve.migrate)
app.command(help=_("Check every component. Exits with code 1 if one is broken."))(doctor.doctor)
app.command(
    help=_(
        "Estimate machines, storage, tokens and cost for a number of sessions a "
        "day, from measurements."
    )
)(plan.plan)
app.add_typer(tenants.tenant, name="tenant", help=_("Manage tenants."))
app.add_typer(cells.cell, name="cell", help=_("Manage cells, the stores that hold tenants."))
app.add_typer(tenants.key, name="key", help=_("Manage API keys."))
app.add_typer(access.user, name="user", help=_("Manage users: roles, export and erasure."))
app.command(help=_("Show turns, tokens and cost by day."))(with_client(usage.usage))
app.add_typer(usage.limits, name="limits", help=_("Show and change rate limits and budgets."))
app.add_typer(config.config, name="config", help=_("Show the settings in effect."))
app.add_typer(access.assistant, name="assistant", help=_("Manage assistant versions."))
app.add_typer(
    models.model, name="model", help=_("Connect language models, test them and choose their roles.")
)
app.add_typer(governance.keys, name="keys", help=_("Rotate encryption keys."))
app.add_typer(governance.audit, name="audit", help=_("Manage the audit trail."))
app.command(help=_("Back up all data to an encrypted, authenticated file."))(
    with_services(governance.backup)
)
app.command(help=_("Restore a backup into an empty database. Erased users stay erased."))(
    with_services(governance.restore)
)
app.add_typer(jobs.jobs, name="jobs", help=_("Inspect and retry background jobs."))
app.command(
    help=_("Add files or folders to a collection. Running it again only processes changes.")
)(with_client(library.ingest, library.TENANT_OPTIONS))
app.command(
    help=_("Import a demo library, 51 documents of an invented product, and suggest questions.")
)(with_client(demo.demo, library.TENANT_OPTIONS))
app.add_typer(library.library, name="library", help=_("Search documents and maintain the index."))
app.command(
    help=_(
        "Move tenants to another embedder. Search keeps working, and each tenant "
        "switches when its new index is complete. Run again to resume. To abort, "
        "name the embedder in use."
    )
)(with_services(reembed.reembed))
app.command(
    help=_(
        "Fit the ranking weights of a tenant. Uses labelled questions, or "
        "questions made from passages, in five folds, and shows the metrics before "
        "and after."
    )
)(with_services(tune.tune))
app.add_typer(
    source.source,
    name="source",
    help=_(
        "Manage sources of documents that stay in sync: folders, web pages, "
        "sitemaps and S3 buckets."
    ),
)
app.command(
    help=_("Send a message and print the answer. Omit MESSAGE to start an interactive session.")
)(with_client(chat.chat))
app.command(help=_("Show the trace of a turn: why it was answered the way it was."))(
    with_client(chat.why)
)
app.command(
    help=_(
        "Run an MCP server over standard input and output with the tools remember, "
        "recall, search, lookup, get_section, ask_memory and forget."
    )
)(with_client(mcp.mcp, PROFILE_OPTIONS))
app.command(help=_("Run the Discord bot. It replies only when mentioned."))(discord.discord)
app.add_typer(evaluate.evaluations, name="eval", help=_("Evaluate memory and search."))
app.add_typer(memory_records.memory, name="memory", help=_("Manage long-term memory."))
app.add_typer(
    erasure.erasure, name="erasure", help=_("Request, list and cancel the erasure of your data.")
)
app.add_typer(session.session, name="session", help=_("Inspect conversations."))

add_json(app)
translate_help(app)


def main() -> None:
    tolerate_any_encoding()
    # Commands print; only the processes that serve configure logs.
    logging.basicConfig(handlers=[logging.NullHandler()])
    app()


if __name__ == "__main__":
    main()

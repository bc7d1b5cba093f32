"""`saegim`: registers the commands, a module for each group of them."""

import logging
from typing import Annotated

import typer

from saegim import __version__
from saegim.cli import access, chat, discord, erasure, mcp, memory_records, plan, session
from saegim.cli.console import out, tolerate_any_encoding
from saegim.cli.dev import command as dev
from saegim.cli.doctor import command as doctor
from saegim.cli.evaluation import command as evaluate
from saegim.cli.json_output import add_json
from saegim.cli.library import documents as library, reembed, sources as source, tune
from saegim.cli.operators import cells, governance, jobs, tenants
from saegim.cli.server import command as serve
from saegim.cli.texts import (
    access_texts,
    backup_texts,
    cell_texts,
    common as texts,
    discord_texts,
    erasure_texts,
    eval_texts,
    job_texts,
    library_texts,
    mcp_texts,
    memory_texts,
    plan_texts,
    reembed_texts,
    session_texts,
    source_texts,
    tune_texts,
)

app = typer.Typer(
    help=texts.HELP(),
    no_args_is_help=True,
    # Plain text: it reads the same on every console.
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
        typer.Option("--version", help=texts.HELP_VERSION(), callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


app.command(help=texts.HELP_DEV())(dev.dev)
app.command(help=texts.HELP_SERVE())(serve.serve)
app.command(help=texts.HELP_WORKER())(serve.worker)
app.command(help=texts.HELP_MIGRATE())(serve.migrate)
app.command(help=texts.HELP_DOCTOR())(doctor.doctor)
app.command(help=plan_texts.HELP())(plan.plan)
app.add_typer(tenants.tenant, name="tenant", help=texts.HELP_TENANT())
app.add_typer(cells.cell, name="cell", help=cell_texts.HELP())
app.add_typer(tenants.key, name="key", help=texts.HELP_KEY())
app.add_typer(access.member, name="member", help=access_texts.HELP_MEMBER())
app.add_typer(access.assistant, name="assistant", help=access_texts.HELP_ASSISTANT())
app.add_typer(governance.keys, name="keys", help=access_texts.HELP_KEYS())
app.add_typer(governance.audit, name="audit", help=access_texts.HELP_AUDIT())
app.command(help=backup_texts.HELP_BACKUP())(governance.backup)
app.command(help=backup_texts.HELP_RESTORE())(governance.restore)
app.add_typer(jobs.jobs, name="jobs", help=job_texts.HELP())
app.command(help=library_texts.HELP_INGEST())(library.ingest)
app.add_typer(library.library, name="library", help=library_texts.HELP_LIBRARY())
app.command(help=reembed_texts.HELP())(reembed.reembed)
app.command(help=tune_texts.HELP())(tune.tune)
app.add_typer(source.source, name="source", help=source_texts.HELP())
app.command(help=texts.HELP_CHAT())(chat.chat)
app.command(help=texts.HELP_WHY())(chat.why)
app.command(help=mcp_texts.HELP())(mcp.mcp)
app.command(help=discord_texts.HELP())(discord.discord)
app.add_typer(evaluate.evaluations, name="eval", help=eval_texts.HELP())
app.add_typer(memory_records.memory, name="memory", help=memory_texts.HELP())
app.add_typer(erasure.erasure, name="erasure", help=erasure_texts.HELP())
app.add_typer(session.session, name="session", help=session_texts.HELP())

add_json(app)


def main() -> None:
    """The program `saegim`."""
    tolerate_any_encoding()
    # What a command has to say it says itself; processes that serve turn their logs on.
    logging.basicConfig(handlers=[logging.NullHandler()])
    app()


if __name__ == "__main__":
    main()

"""The parts of `--help` that Typer writes, in the language of the command line."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from saegim.cli.language import _

USAGE = _("Usage: ")
HEADINGS = {
    "Arguments": _("Arguments"),
    "Options": _("Options"),
    "Commands": _("Commands"),
}
# The commands of `saegim --help` by purpose.
PURPOSES = {
    _("Start"): ("dev", "demo", "model"),
    _("Ask"): ("chat", "why", "session", "memory", "mcp", "discord"),
    _("Documents"): ("ingest", "library", "source"),
    _("People"): ("user", "key", "assistant", "erasure", "usage", "limits"),
    _("Operate"): (
        *("serve", "worker", "migrate", "doctor", "config", "jobs", "backup", "restore"),
        *("tenant", "cell", "keys", "audit", "plan"),
    ),
    _("Develop"): ("eval", "tune", "reembed"),
}
OPTIONS = {
    "Show this message and exit.": _("Show this message and exit."),
    "Install completion for the current shell.": _("Install completion for the current shell."),
    "Show completion for the current shell, to copy it or customize the installation.": _(
        "Show completion for the current shell, to copy it or customize the installation."
    ),
}


class HelpFormatter(typer.Context.formatter_class):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or USAGE)

    def write_heading(self, heading: str) -> None:
        super().write_heading(HEADINGS.get(heading, heading))


class HelpContext(typer.Context):
    formatter_class = HelpFormatter


class TranslatedCommand(TyperCommand):
    context_class = HelpContext

    def get_params(self, ctx: Any) -> list[Any]:
        return _translated(super().get_params(ctx))


class TranslatedGroup(TyperGroup):
    context_class = HelpContext

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is not None:
            super().format_commands(ctx, formatter)
            return
        width = formatter.width - 6 - max(map(len, self.commands))
        for heading, names in PURPOSES.items():
            with formatter.section(heading):
                rows = [(name, self.commands[name].get_short_help_str(width)) for name in names]
                formatter.write_dl(rows)

    def get_params(self, ctx: Any) -> list[Any]:
        return _translated(super().get_params(ctx))


def translate_help(app: typer.Typer) -> None:
    """Let every command of an app write its help in the language of the command line."""
    app.info.cls = TranslatedGroup
    for command in app.registered_commands:
        command.cls = TranslatedCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            translate_help(group.typer_instance)


def _translated(parameters: list[Any]) -> list[Any]:
    for each in parameters:
        text = getattr(each, "help", None)
        if text in OPTIONS:
            each.help = OPTIONS[text]
    return parameters

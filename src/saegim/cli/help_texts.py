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

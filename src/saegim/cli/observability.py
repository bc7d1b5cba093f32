"""Logs and traces of a process, as its settings ask for them."""

from typing import TextIO

from saegim.app import tracing
from saegim.app.from_settings import MissingSetting
from saegim.app.settings import Settings
from saegim.cli.console import fail
from saegim.cli.language import _
from saegim.telemetry import logs


def setup_observability(settings: Settings, service: str, stream: TextIO | None = None) -> None:
    """Begins both; ends the command where a part that they take is not installed."""
    files = settings.log_file, settings.log_error_file, settings.call_log
    logs.configure(settings.log_level, stream, *files)
    try:
        tracing.configure(settings.traces_file, service)
    except MissingSetting as error:
        fail(_("Invalid setting: {found}", found=error))

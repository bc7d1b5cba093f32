"""Logs and traces of a process, as its settings ask for them."""

from typing import TextIO

from saegim.bootstrap import MissingSetting
from saegim.entrypoints import logs, telemetry
from saegim.entrypoints.cli import texts
from saegim.entrypoints.cli.console import fail
from saegim.settings import Settings


def look_on(settings: Settings, service: str, stream: TextIO | None = None) -> None:
    """Begins both; ends the command where a part that they take is not installed."""
    files = settings.log_file, settings.log_error_file, settings.call_log
    logs.configure(settings.log_level, stream, *files)
    try:
        telemetry.configure(settings.traces_to, service)
    except MissingSetting as error:
        fail(texts.WRONG_SETTING(found=error))

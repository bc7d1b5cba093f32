"""Configures the logs and traces of a process."""

from typing import TextIO

from saegim.app import tracing
from saegim.app.from_settings import MissingSetting
from saegim.app.settings import Settings
from saegim.cli.environment import fail_invalid
from saegim.telemetry import logs


def setup_observability(settings: Settings, service: str, stream: TextIO | None = None) -> None:
    """Configure both by the settings; exit if a package they need is not installed."""
    files = settings.log_file, settings.log_error_file, settings.call_log
    logs.configure(settings.log_level, stream, *files)
    try:
        tracing.configure(settings.traces_file, service)
    except MissingSetting as error:
        fail_invalid(error)

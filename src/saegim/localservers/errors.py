"""Errors of local servers."""

from typing import ClassVar

from saegim.domain.errors import SaegimError
from saegim.locales import N_


class LocalServerError(SaegimError):
    """A local server did not start or stop; the detail has its last log lines."""

    code = "local_server_error"
    text: ClassVar[str] = N_("Could not run the local server.")


class FolderInUse(LocalServerError):
    code = "folder_in_use"
    text: ClassVar[str] = N_(
        "Another server is using this data folder. Stop it first, or choose another folder."
    )


class NotInstalled(LocalServerError):
    code = "local_server_not_installed"
    text: ClassVar[str] = N_(
        "The local servers are not installed. Install `saegim[local]`, or set "
        "SAEGIM_POSTGRES_URL and SAEGIM_REDIS_URL to use external servers."
    )

from typing import ClassVar

from saegim.domain.errors import SaegimError
from saegim.domain.scope import Locale


class LocalServerError(SaegimError):
    """A local server did not start, or did not end; the detail carries its last log lines."""

    code = "local_server_error"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "로컬 서버를 실행할 수 없습니다.",
        "en": "The local server could not be run.",
    }


class FolderInUse(LocalServerError):
    code = "folder_in_use"
    text: ClassVar[dict[Locale, str]] = {
        "ko": (
            "다른 서버가 이 데이터 폴더를 사용하고 있습니다. "
            "먼저 종료하거나 다른 폴더를 지정하세요."
        ),
        "en": "Another server is using this data folder. Stop it first, or choose another folder.",
    }


class NotInstalled(LocalServerError):
    code = "local_server_not_installed"
    text: ClassVar[dict[Locale, str]] = {
        "ko": (
            "로컬 서버가 설치되어 있지 않습니다. `saegim[local]`을 설치하거나 "
            "SAEGIM_POSTGRES_URL과 SAEGIM_REDIS_URL로 외부 서버를 지정하세요."
        ),
        "en": (
            "The local servers are not installed. Install `saegim[local]`, or name outside "
            "servers in SAEGIM_POSTGRES_URL and SAEGIM_REDIS_URL."
        ),
    }

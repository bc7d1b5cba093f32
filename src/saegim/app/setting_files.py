"""Settings from files, as Docker, Kubernetes and the agents of secret stores mount them."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic_settings import EnvSettingsSource, SettingsError


class FileSource(EnvSettingsSource):
    """Values from files: `SAEGIM_MASTER_KEY_FILE=/run/secrets/master-key`, as Docker, Kubernetes
    and Vault's agent mount them. The variable itself goes first."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        found: dict[str, str | None] = {}
        for name in self.settings_cls.model_fields:
            path = os.environ.get(f"SAEGIM_{name.upper()}_FILE")
            if path:
                found[f"saegim_{name}"] = _read_secret(name, path)
        return found


def _read_secret(name: str, path: str) -> str:
    """The content of a file, without the line break at its end. Raises SettingsError."""
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeError) as error:
        # Neither the path nor the content: either may be a secret that was put in the wrong place.
        raise SettingsError(f"SAEGIM_{name.upper()}_FILE cannot be read") from error

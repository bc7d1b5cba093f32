"""Settings from files, as Docker, Kubernetes and Vault's agent mount them."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic_settings import EnvSettingsSource, SettingsError


class FileSource(EnvSettingsSource):
    """Reads `SAEGIM_<NAME>_FILE`, such as `SAEGIM_MASTER_KEY_FILE=/run/secrets/master-key`. The
    variable `SAEGIM_<NAME>` takes precedence."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        values: dict[str, str | None] = {}
        for name in self.settings_cls.model_fields:
            path = os.environ.get(f"SAEGIM_{name.upper()}_FILE")
            if path:
                values[f"saegim_{name}"] = _read_secret(name, path)
        return values


def _read_secret(name: str, path: str) -> str:
    """Reads a file without its final line break. Raises SettingsError."""
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeError) as error:
        # Neither path nor content: either may be a misplaced secret.
        raise SettingsError(f"SAEGIM_{name.upper()}_FILE cannot be read") from error

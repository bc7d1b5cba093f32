"""The composition root: the only place where parts meet."""

from saegim.bootstrap.configured import (
    MissingSetting,
    master_key,
    models_config,
    owners,
    required,
)
from saegim.bootstrap.ground import Fakes, KeyTimes
from saegim.bootstrap.services import Services, build

__all__ = [
    "Fakes",
    "KeyTimes",
    "MissingSetting",
    "Services",
    "build",
    "master_key",
    "models_config",
    "owners",
    "required",
]

"""Importing a submodule of a package whose own `__init__` is slow."""

import sys
from importlib.util import find_spec, module_from_spec


def skip_package_init(package: str) -> None:
    """Let submodules of an installed package be imported without running its `__init__`.

    Does nothing where the package is imported already, or not installed."""
    spec = find_spec(package)
    if spec is not None and package not in sys.modules:
        sys.modules[package] = module_from_spec(spec)

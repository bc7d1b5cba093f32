"""Tools of a deployment: the public async functions of the modules in its settings.

The model sees the docstring and parameters of a function; it returns text or `Facts`. Installed
packages are found by the entry point group `saegim.tools`.
"""

import functools
import importlib
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from importlib.metadata import entry_points
from types import ModuleType
from typing import cast

from saegim.domain.errors import Invalid
from saegim.tools.service import ToolFunction
from saegim.tools.types import Fact, Facts, ToolFailed

ENTRY_POINTS = "saegim.tools"
_log = logging.getLogger(__name__)


def discover(modules: Sequence[str]) -> list[ToolFunction]:
    """Return the tools of these modules and of installed packages. Raises Invalid."""
    return [tool for name in dict.fromkeys([*_installed(), *modules]) for tool in _tools_of(name)]


@functools.cache
def _installed() -> tuple[str, ...]:
    """Cached: it reads the metadata of every installed distribution."""
    return tuple(point.value for point in entry_points(group=ENTRY_POINTS))


def _tools_of(name: str) -> list[ToolFunction]:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise Invalid(f"tool module {name} cannot be imported: {error}") from error
    functions = _functions(module)
    if not functions:
        raise Invalid(f"tool module {name} has no public async function")
    undocumented = [function.__name__ for function in functions if not function.__doc__]
    if undocumented:
        raise Invalid(f"tools of {name} need a docstring: {', '.join(undocumented)}")
    return [_guarded(name, function) for function in functions]


def _functions(module: ModuleType) -> list[Callable[..., Awaitable[str | Facts]]]:
    return [
        function
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction)
        if not name.startswith("_") and function.__module__ == module.__name__
    ]


def _guarded(provider: str, function: Callable[..., Awaitable[str | Facts]]) -> ToolFunction:
    """Turn text into facts, and any error into ToolFailed: a tool must not end a turn."""

    @functools.wraps(function)
    async def call(**parameters: object) -> Facts:
        try:
            result = await function(**parameters)
        except ToolFailed:
            raise
        except Exception as error:
            _log.warning("tool %s failed: %s", function.__name__, type(error).__name__)
            raise ToolFailed("error") from error
        return result if isinstance(result, Facts) else Facts(provider, (Fact(result),))

    return cast("ToolFunction", call)

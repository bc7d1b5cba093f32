"""What LangGraph's filters and match conditions mean."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

from langgraph.store.base import MatchCondition

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": lambda left, right: float(left) > float(right),
    "$gte": lambda left, right: float(left) >= float(right),
    "$lt": lambda left, right: float(left) < float(right),
    "$lte": lambda left, right: float(left) <= float(right),
}


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a value has every field as it is wanted."""
    return all(_holds(value.get(name), want) for name, want in (wanted or {}).items())


def matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Whether a namespace begins or ends as a condition says; `*` stands for any one part."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    if condition.match_type == "prefix":
        part = namespace[: len(path)]
    else:
        part = namespace[len(namespace) - len(path) :]
    return all(want in ("*", have) for have, want in zip(part, path, strict=True))


def _holds(have: Any, want: Any) -> bool:
    if isinstance(want, dict):
        named = cast("dict[str, Any]", want)
        if any(name.startswith("$") for name in named):
            return all(_compared(have, name, value) for name, value in named.items())
    return have == want


def _compared(have: Any, name: str, want: Any) -> bool:
    if name not in OPERATORS:
        raise ValueError(f"there is no operator {name}")
    ordered = name not in ("$eq", "$ne")
    return not (ordered and have is None) and OPERATORS[name](have, want)

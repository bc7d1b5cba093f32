"""Filters and match conditions of LangGraph."""

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


def passes(value: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Return whether all fields of a value meet their conditions."""
    return all(_meets(value.get(name), want) for name, want in (conditions or {}).items())


def matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Return whether a namespace has the prefix or suffix; `*` matches any one part."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    part = namespace[start : start + len(path)]
    return all(want in ("*", have) for have, want in zip(part, path, strict=True))


def _meets(have: Any, want: Any) -> bool:
    if isinstance(want, dict):
        conditions = cast("dict[str, Any]", want)
        if any(name.startswith("$") for name in conditions):
            return all(_compare(have, name, value) for name, value in conditions.items())
    return have == want


def _compare(have: Any, name: str, want: Any) -> bool:
    if name not in OPERATORS:
        raise ValueError(f"unknown operator: {name}")
    ordered = name not in ("$eq", "$ne")
    return not (ordered and have is None) and OPERATORS[name](have, want)

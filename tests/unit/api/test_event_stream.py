"""Events of a turn as a client reads them from the stream."""

import dataclasses
import enum
import json
import types
import typing
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

import pytest

from saegim.api.schemas.chat import CitationView
from saegim.api.sse import render
from saegim.chat import events
from saegim.chat.types import Reply

SAMPLES: dict[object, object] = {
    str: "1",
    int: 1,
    float: 1.0,
    bool: True,
    datetime: datetime(2013, 1, 27, tzinfo=UTC),
    UUID: UUID(int=1),
    Any: "1",
}


def filled(kind: Any) -> Any:
    """Return a value of the type in which every optional field is set."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in SAMPLES:
        return SAMPLES[kind]
    if origin in (typing.Union, types.UnionType):
        return filled(next(each for each in arguments if each is not type(None)))
    if origin is typing.Annotated:
        return filled(arguments[0])
    if origin is Literal:
        return arguments[0]
    if origin is tuple:
        return tuple(filled(each) for each in arguments if each is not Ellipsis)
    if origin in (list, Sequence):
        return [filled(arguments[0])]
    if origin in (dict, Mapping):
        return {filled(arguments[0]): filled(arguments[1])}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind))
    hints = typing.get_type_hints(kind)
    names = getattr(kind, "model_fields", None) or [each.name for each in dataclasses.fields(kind)]
    values = {name: filled(hints[name]) for name in names if name != "citations"}
    if kind is Reply:  # Stored citations are read back from JSON.
        values["citations"] = [filled(CitationView).model_dump(mode="json")]
    return kind(**values)


@pytest.mark.parametrize("kind", typing.get_args(events.Event), ids=lambda kind: kind.__name__)
def test_an_event_with_every_field_set_is_streamed(kind: type[Any]) -> None:
    lines = render(filled(kind)).decode().splitlines()
    [data] = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    assert isinstance(json.loads(data), dict)


@pytest.mark.parametrize("kind", [events.CitationEvent, events.MemoriesEvent, events.Done])
def test_no_field_of_a_citation_is_lost_in_the_stream(kind: type[Any]) -> None:
    text = render(filled(kind)).decode()
    for name in CitationView.model_fields:
        assert f'"{name}": null' not in text
        assert f'"{name}": ' in text

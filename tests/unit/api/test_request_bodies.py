"""Request bodies refuse what they do not know."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from fastapi import FastAPI
from pydantic import ValidationError

from saegim.api.app import add_routes
from saegim.api.openapi import document
from saegim.api.schemas.chat import ChatBody
from saegim.api.schemas.openai import CompletionBody
from saegim.domain.errors import Invalid


def reachable(part: Any, schemas: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """The names of the schemas that a part of the document refers to."""
    if isinstance(part, list):
        for each in part:
            yield from reachable(each, schemas, seen)
    if not isinstance(part, dict):
        return
    name = str(part.get("$ref", "")).rpartition("/")[2]
    if name and name not in seen:
        seen.add(name)
        yield name
        yield from reachable(schemas[name], schemas, seen)
    for each in part.values():
        yield from reachable(each, schemas, seen)


def test_every_request_model_refuses_unknown_fields() -> None:
    app = FastAPI()
    add_routes(app)
    made = document(app)
    schemas = made["components"]["schemas"]
    bodies = [
        operation.get("requestBody", {})
        for path in made["paths"].values()
        for operation in path.values()
    ]
    names = list(reachable(bodies, schemas, set()))
    objects = [name for name in names if schemas[name].get("type") == "object"]
    assert len(objects) > 40
    assert [n for n in objects if schemas[n].get("additionalProperties") is not False] == []


def test_an_unknown_field_is_named_in_the_error() -> None:
    with pytest.raises(ValidationError, match="sesion_id"):
        ChatBody.model_validate({"message": "hi", "sesion_id": "a"})


def test_openai_parameters_are_accepted_by_name_and_others_refused() -> None:
    body = {"messages": [{"role": "user", "content": "hi"}], "temperature": 0.1, "seed": 1}
    assert CompletionBody.model_validate(body).messages[0].plain_text() == "hi"
    with pytest.raises(ValidationError, match="temprature"):
        CompletionBody.model_validate({**body, "temprature": 0.1})


def test_session_in_the_body_counts_as_the_header_and_may_not_contradict_it() -> None:
    body = ChatBody(message="hi", session_id="a")
    assert (body.session(None), body.session("a")) == ("a", "a")
    assert ChatBody(message="hi").session("b") == "b"
    with pytest.raises(Invalid):
        body.session(str(uuid4()))

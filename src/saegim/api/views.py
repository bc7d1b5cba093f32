"""Helpers for request and response models."""

from pydantic import BaseModel, ConfigDict, JsonValue


def example(**fields: JsonValue) -> ConfigDict:
    """Returns the configuration of a model that documents one example."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


def view_of[V: BaseModel](model: type[V], value: object, **fields: object) -> V:
    """Builds a response model from the attributes of `value` that have the names of its fields.

    `fields` gives those that have another name or form."""
    names = model.model_fields.keys() - fields.keys()
    return model.model_validate({name: getattr(value, name) for name in names} | fields)

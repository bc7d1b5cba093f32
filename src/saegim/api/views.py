"""Base and helpers of request and response models."""

from collections.abc import Iterable, Set
from dataclasses import is_dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Self, cast

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    JsonValue,
    model_validator,
)


def example(**fields: JsonValue) -> ConfigDict:
    """Returns the configuration of a model that documents one example."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class View(BaseModel):
    """A response that is built from values of the services, also inside another one.

    A field is read from the attribute of its name. A field `x_id` may also be the attribute `x`,
    and the first one `id`. Sets become sorted lists."""

    @classmethod
    def of(cls, *values: object, **fields: object) -> Self:
        """Builds the view from attributes of the values; the first that has one counts. `fields`
        gives those that have another name or form."""
        names = [name for name in cls.model_fields if name not in fields]
        return cls.model_validate({name: cls._read(values, name) for name in names} | fields)

    @classmethod
    def each(cls, values: Iterable[object]) -> list[Self]:
        """Builds a view of each value."""
        return [cls.of(value) for value in values]

    @classmethod
    def _read(cls, values: tuple[object, ...], name: str) -> object:
        attributes = [name]
        if name.endswith("_id"):
            first = name == next(iter(cls.model_fields))
            attributes += [name.removesuffix("_id"), *(["id"] if first else [])]
        found = ((one, each) for each in attributes for one in values if hasattr(one, each))
        value, attribute = next(found, (values[0], name))
        read = getattr(value, attribute)
        return sorted(cast("Set[Any]", read)) if isinstance(read, Set) else read

    @model_validator(mode="before")
    @classmethod
    def _from_value(cls, value: Any) -> Any:
        if not is_dataclass(value):
            return value
        return {name: cls._read((value,), name) for name in cls.model_fields}


EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def _in_range(at: datetime) -> datetime:
    if not EARLIEST <= at <= LATEST:
        raise ValueError(f"must be between the years {EARLIEST.year} and {LATEST.year}")
    return at.astimezone(UTC)


Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]

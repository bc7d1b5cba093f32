"""Groups of settings: a JSON object, or one variable per field, such as `SAEGIM_RECALL__TOKENS`."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Tokens = Annotated[int, Field(ge=0, le=100_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Bound = Annotated[int, Field(ge=0, le=1_000_000_000)]


class Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RecallSettings(Group):
    """Token budget of recall, and the weights of its signals."""

    tokens: Tokens = 1_200
    each: Annotated[int, Field(ge=10, le=4_000)] = 150
    candidates: Annotated[int, Field(ge=1, le=200)] = 24
    episodes_share: Share = 0.67
    diversity: Share = 0.2
    similarity: Share = 0.7
    recency: Share = 0.2
    importance: Share = 0.1
    decay_per_day: Annotated[float, Field(ge=0, le=10)] = 0.002
    in_digest: Share = 0.5


class ConsolidationSettings(Group):
    """Which records become a digest, and how long it is."""

    after_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    least: Annotated[int, Field(ge=2, le=1_000)] = 4
    most: Annotated[int, Field(ge=2, le=1_000)] = 40
    importance_below: Share = 0.75
    tokens: Annotated[int, Field(ge=20, le=4_000)] = 150


class ContextSettings(Group):
    """Token budget of each block of the context."""

    system: Tokens = 1_500
    pinned: Tokens = 400
    pinned_most: Tokens = 700
    profile: Tokens = 300
    summary: Tokens = 500
    entities: Tokens = 200
    memories: Tokens = 1_200
    recent: Tokens = 1_500
    evidence: Tokens = 1_500
    message: Tokens = 100

    @model_validator(mode="after")
    def _pinned_grow(self) -> Self:
        if self.pinned_most < self.pinned:
            raise ValueError("pinned_most is less than pinned")
        return self


class SummarySettings(Group):
    """When turns are summarised, and the limits of summary and entities."""

    turns: Annotated[int, Field(ge=2, le=40)] = 6
    batch: Annotated[int, Field(ge=1, le=40)] = 5
    tokens: Annotated[int, Field(ge=50, le=8_000)] = 500
    sentences: Annotated[int, Field(ge=1, le=200)] = 20
    entities: Annotated[int, Field(ge=1, le=500)] = 25
    ttl_hours: Annotated[float, Field(gt=0, le=8_760)] = 24

    @model_validator(mode="after")
    def _batch_fits(self) -> Self:
        if self.batch > self.turns:
            raise ValueError("batch is more than turns")
        return self


class QuotaSettings(Group):
    """What a tenant may store, and how many profiles a member may have; 0 is unlimited."""

    documents: Bound = 100_000
    document_mb: Bound = 10_000
    sources: Bound = 100
    collections: Bound = 1_000
    members: Bound = 100_000
    profiles: Bound = 20

"""How much a tenant may store."""

from dataclasses import dataclass
from enum import StrEnum


class Quota(StrEnum):
    """What is counted; the value stands in the problem's detail."""

    DOCUMENTS = "documents"
    DOCUMENT_MB = "document_mb"
    SOURCES = "sources"
    COLLECTIONS = "collections"
    MEMBERS = "members"
    PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most of each for a tenant; profiles are for each member. None is without bound."""

    documents: int | None = 100_000
    document_mb: int | None = 10_000
    sources: int | None = 100
    collections: int | None = 1_000
    members: int | None = 100_000
    profiles: int | None = 20

    def most(self, quota: Quota) -> int | None:
        return getattr(self, quota.value)

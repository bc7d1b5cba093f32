"""All tables with personal data: how each is erased, re-encrypted and exported.

Erasure, key rotation, export and restore use this list. A test fails for a table that is neither
here nor in `NOT_PERSONAL`."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from saegim.encryption.cipher import FieldLocation


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with a user's rows, and its encrypted columns. Its queries are named after it:
    `erase_`, `export_`, and `sealed_` and `reseal_` to find and rewrite encrypted columns.

    `row_id` and `sealed_as` name the row and table that bind an encrypted value."""

    name: str
    sealed: tuple[str, ...] = ()
    exported: bool = False
    row_id: str = ""
    sealed_as: str = ""
    kept_because: str = ""

    @property
    def erase(self) -> str | None:
        """The query that deletes the rows, or None if they are kept."""
        return None if self.kept_because else f"erase_{self.name}"

    @property
    def queries(self) -> set[str]:
        """The names of all queries of the table."""
        kinds = [("erase", not self.kept_because), ("export", self.exported)]
        kinds += [("sealed", bool(self.sealed)), ("reseal", bool(self.sealed))]
        return {f"{kind}_{self.name}" for kind, has in kinds if has}

    def location(self, column: str, row: UUID) -> FieldLocation:
        """Return the location that an encrypted value is bound to."""
        return FieldLocation(f"{self.sealed_as or self.name}.{column}", row)


# In the order of deletion: referring tables first.
PERSONAL: tuple[PersonalTable, ...] = (
    PersonalTable("guild_activity", exported=True),
    PersonalTable("link_code"),
    PersonalTable("sign_in"),
    PersonalTable("reset_link"),
    PersonalTable("invitation", ("email", "name"), row_id="invitation_id"),
    PersonalTable("account", ("email", "name"), exported=True, row_id="member_id"),
    PersonalTable("identity", ("outside_id",), exported=True, row_id="identity_id"),
    PersonalTable("app_key"),
    PersonalTable("turn_trace", ("trace",)),
    PersonalTable("extraction", ("output",)),
    PersonalTable("feedback", ("correction",), exported=True, row_id="turn_id"),
    PersonalTable("usage_event"),
    PersonalTable("episode_vector"),
    PersonalTable("episode", ("content",)),
    PersonalTable("term_count"),
    PersonalTable("memory_vector"),
    PersonalTable("memory_import", ("body",)),
    PersonalTable(
        "memory_version", ("body",), exported=True, row_id="memory_id", sealed_as="memory"
    ),
    PersonalTable("memory", ("body",), exported=True, row_id="memory_id"),
    PersonalTable("derived_memory", ("body",), exported=True, row_id="derived_id"),
    PersonalTable("digest", ("body",), exported=True, row_id="digest_id"),
    PersonalTable("consent"),
    PersonalTable("turn_terms"),
    PersonalTable("session_summary", ("summary", "entities"), exported=True, row_id="session_id"),
    PersonalTable(
        "turn", ("message", "inputs", "reply", "doc_ids"), exported=True, row_id="turn_id"
    ),
    PersonalTable("session", ("title", "auto_title"), exported=True, row_id="session_id"),
    PersonalTable("original_part", ("content",), row_id="original_id"),
    PersonalTable("original", exported=True),
    PersonalTable("document", exported=True),
    PersonalTable("team_memory"),
    PersonalTable("team_memory_source", exported=True),
    PersonalTable("ingest"),
    PersonalTable("collection"),
    PersonalTable("profile", ("name",), exported=True, row_id="profile_id"),
    PersonalTable("member", ("outside_id",), exported=True, row_id="member_id"),
    PersonalTable(
        "audit_event",
        ("reason",),
        exported=True,
        row_id="event_id",
        kept_because="the audit trail is evidence; reasons are unreadable without the key",
    ),
    PersonalTable("erasure", kept_because="evidence of the erasure: ids, counts and times"),
)

# Tenant tables without personal data, and what they hold.
NOT_PERSONAL: Mapping[str, str] = {
    "assistant": "an assistant's persona and policy",
    "assistant_collection": "collections of an assistant",
    "assistant_version": "versions of an assistant's configuration",
    "audit_seal": "hashes over the audit trail",
    "evaluation_result": "answers to questions of an evaluation",
    "evaluation_run": "evaluations of an assistant",
    "evaluation_set": "questions to evaluate an assistant with",
    "file_part": "files being ingested",
    "guild": "a community's settings",
    "guild_channel": "settings of a community's channels",
    "guild_notice": "weather notices of a community",
    "index_change": "ids of passages",
    "index_build": "progress of an index build",
    "index_state": "the embedder in use",
    "ingest_file": "files being ingested",
    "issuer": "token issuers of the tenant",
    "model_connection": "model providers of the organisation, with encrypted keys",
    "model_role": "models of the organisation by role",
    "passage": "the library",
    "passage_vector": "the library",
    "ranking": "ranking weights",
    "reembed": "progress of a re-embedding",
    "retired_index": "replaced search indexes",
    "section": "the library",
    "source": "connected document sources",
    "source_item": "documents of a source",
    "team_memory_version": "versions of shared records",
    "tenant": "the organisation",
    "tenant_directory": "the cell of the organisation",
    "tenant_move": "progress of a tenant move",
    "usage_limit": "limits of the organisation",
    "webhook": "webhooks of the organisation",
    "webhook_delivery": "ids of delivered events",
}

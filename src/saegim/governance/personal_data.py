"""All tables with personal data: how each is erased, re-encrypted and exported.

Erasure, key rotation, export and restore use this list. A test fails for a table that is neither
here nor in `NOT_PERSONAL`."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SealedColumns:
    """The queries that find and rewrite a table's encrypted columns; `fields` names each column's
    location in the key binding."""

    find: str
    write: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with a user's rows. `erase` is None if they are kept, for the reason given."""

    name: str
    erase: str | None
    sealed: SealedColumns | None = None
    export: str | None = None
    kept_because: str = ""


def _sealed(find: str, write: str, **fields: str) -> SealedColumns:
    return SealedColumns(find, write, fields)


# In the order of deletion: referring tables first.
PERSONAL: tuple[PersonalTable, ...] = (
    PersonalTable("guild_activity", "erase_guild_activity", export="export_guild_activity"),
    PersonalTable("link_code", "erase_link_code"),
    PersonalTable("sign_in", "erase_sign_in"),
    PersonalTable(
        "identity",
        "erase_identity",
        _sealed("sealed_identity", "reseal_identity", outside_id="identity.outside_id"),
        "export_identity",
    ),
    PersonalTable("app_key", "erase_app_key"),
    PersonalTable(
        "turn_trace",
        "erase_turn_trace",
        _sealed("sealed_turn_trace", "reseal_turn_trace", trace="turn_trace.trace"),
    ),
    PersonalTable(
        "extraction",
        "erase_extraction",
        _sealed("sealed_extraction", "reseal_extraction", output="extraction.output"),
    ),
    PersonalTable(
        "feedback",
        "erase_feedback",
        _sealed("sealed_feedback", "reseal_feedback", correction="feedback.correction"),
        "export_feedback",
    ),
    PersonalTable("usage_event", "erase_usage_event"),
    PersonalTable("episode_vector", "erase_episode_vector"),
    PersonalTable(
        "episode",
        "erase_episode",
        _sealed("sealed_episode", "reseal_episode", content="episode.content"),
    ),
    PersonalTable("term_count", "erase_term_count"),
    PersonalTable("memory_vector", "erase_memory_vector"),
    PersonalTable(
        "memory_import",
        "erase_memory_import",
        _sealed("sealed_memory_import", "reseal_memory_import", body="memory_import.body"),
    ),
    PersonalTable(
        "memory_version",
        "erase_memory_version",
        _sealed("sealed_memory_version", "reseal_memory_version", body="memory.body"),
        "export_memory_version",
    ),
    PersonalTable(
        "memory",
        "erase_memory",
        _sealed("sealed_memory", "reseal_memory", body="memory.body"),
        "export_memory",
    ),
    PersonalTable(
        "digest",
        "erase_digest",
        _sealed("sealed_digest", "reseal_digest", body="digest.body"),
        "export_digest",
    ),
    PersonalTable("consent", "erase_consent"),
    PersonalTable(
        "session_summary",
        "erase_session_summary",
        _sealed(
            "sealed_session_summary",
            "reseal_session_summary",
            summary="session_summary.summary",
            entities="session_summary.entities",
        ),
        "export_session_summary",
    ),
    PersonalTable(
        "turn",
        "erase_turn",
        _sealed(
            "sealed_turn",
            "reseal_turn",
            message="turn.message",
            inputs="turn.inputs",
            reply="turn.reply",
            doc_ids="turn.doc_ids",
        ),
        "export_turn",
    ),
    PersonalTable("session", "erase_session", export="export_session"),
    PersonalTable("document", "erase_own_document", export="export_own_document"),
    PersonalTable("ingest", "erase_own_ingest"),
    PersonalTable("collection", "erase_own_collection"),
    PersonalTable(
        "profile",
        "erase_profile",
        _sealed("sealed_profile", "reseal_profile", name="profile.name"),
        "export_profile",
    ),
    PersonalTable(
        "member",
        "erase_member",
        _sealed("sealed_member", "reseal_member", outside_id="member.outside_id"),
        "export_member",
    ),
    PersonalTable(
        "audit_event",
        None,
        _sealed("sealed_audit_event", "reseal_audit_event", reason="audit_event.reason"),
        "export_audit_event",
        kept_because="the audit trail is evidence; reasons are unreadable without the key",
    ),
    PersonalTable(
        "erasure",
        None,
        kept_because="evidence of the erasure: ids, counts and times",
    ),
)

# Tenant tables without personal data, and what they hold.
NOT_PERSONAL: Mapping[str, str] = {
    "assistant": "an assistant's persona and policy",
    "assistant_collection": "collections of an assistant",
    "assistant_version": "versions of an assistant's configuration",
    "audit_seal": "hashes over the audit trail",
    "file_part": "files being ingested",
    "guild": "a community's settings",
    "guild_channel": "settings of a community's channels",
    "guild_notice": "weather notices of a community",
    "index_change": "ids of passages",
    "index_build": "progress of an index build",
    "index_state": "the embedder in use",
    "ingest_file": "files being ingested",
    "issuer": "token issuers of the tenant",
    "passage": "the library",
    "passage_vector": "the library",
    "ranking": "ranking weights",
    "reembed": "progress of a re-embedding",
    "retired_index": "replaced search indexes",
    "section": "the library",
    "source": "connected document sources",
    "source_item": "documents of a source",
    "tenant": "the organisation",
    "tenant_directory": "the cell of the organisation",
    "tenant_move": "progress of a tenant move",
    "usage_limit": "limits of the organisation",
    "webhook": "webhooks of the organisation",
    "webhook_delivery": "ids of delivered events",
}

"""Every table that holds something of a person: how it is erased, sealed anew and exported.

The one list that erasure, rotation, export and restore go by. A test compares it with the
catalogue: a table that is neither here nor among `NOT_PERSONAL` fails it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SealedColumns:
    """How a table's sealed columns are found by their key's version, and written anew; `fields`
    names the place of each."""

    find: str
    write: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with a person's rows. `erase` is None where they are kept, for the reason given."""

    name: str
    erase: str | None
    sealed: SealedColumns | None = None
    export: str | None = None
    kept_because: str = ""


def _sealed(find: str, write: str, **fields: str) -> SealedColumns:
    return SealedColumns(find, write, fields)


# In the order in which rows go: what refers to others before what is referred to.
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
        kept_because="who did what and when is proof; reasons cannot be read without the key",
    ),
    PersonalTable(
        "erasure",
        None,
        kept_because="the proof of the erasure itself: ids, counts and times",
    ),
)

# Tables of a tenant that hold nothing of a person, each with what it holds.
NOT_PERSONAL: Mapping[str, str] = {
    "assistant": "an assistant's persona and policy",
    "assistant_collection": "which collections an assistant reads",
    "assistant_version": "versions of an assistant's configuration",
    "audit_seal": "hashes over the audit trail",
    "file_part": "files on their way into the library",
    "guild": "a community's settings",
    "guild_channel": "how a community's channels are spoken in",
    "guild_notice": "which weather a community is told",
    "index_change": "ids of passages",
    "index_build": "how far a search index is that is being built",
    "index_state": "which embedder is in use",
    "ingest_file": "files on their way into the library",
    "issuer": "who signs for the tenant's users",
    "passage": "the library",
    "passage_vector": "the library",
    "ranking": "how search ranks",
    "reembed": "how far a change of embedders is",
    "retired_index": "search indexes that are about to go",
    "section": "the library",
    "source": "where documents are kept in sync from",
    "source_item": "documents of a source",
    "tenant": "the organisation",
    "tenant_directory": "where the organisation lives",
    "tenant_move": "where the organisation is moving to",
    "usage_limit": "what the organisation may use",
    "webhook": "where the organisation is told what happened",
    "webhook_delivery": "ids of what it was told of",
}

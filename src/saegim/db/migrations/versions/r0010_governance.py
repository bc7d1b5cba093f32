"""Governance: erasures with receipts, the sealed audit trail, what is found by its person.

Expands only: the release before writes events without the new columns.
"""

from alembic import op

from saegim.db.migrations.tenant_tables import fence

revision = "0010"
down_revision = "0009"

TABLES = {
    # Kept after the person is gone: ids, counts and times, no content. `reason` is sealed with the
    # tenant's key.
    "erasure": """
        create table erasure (
            tenant_id uuid not null references tenant,
            erasure_id uuid not null,
            member_id uuid not null,
            asked_by uuid not null,
            reason bytea,
            state text not null,
            asked_at timestamptz not null,
            key_destroyed_at timestamptz,
            done_at timestamptz,
            receipt jsonb,
            signature bytea,
            primary key (tenant_id, erasure_id),
            check (state in ('asked', 'key_destroyed', 'done'))
        )""",
    # A batch of events, chained to the one before by a keyed hash.
    "audit_seal": """
        create table audit_seal (
            tenant_id uuid not null references tenant,
            number integer not null,
            events integer not null,
            digest bytea not null,
            sealed_at timestamptz not null,
            primary key (tenant_id, number)
        )""",
}

STATEMENTS = [
    # Who, from where; which batch sealed it, and a keyed hash of the reason, which can be checked
    # as long as the reason can be read.
    """
    alter table audit_event
        add column actor_id uuid, add column key_id uuid, add column origin text,
        add column sealed_in integer, add column reason_digest bytea
    """,
    "create index audit_unsealed on audit_event (tenant_id, event_id) where sealed_in is null",
    "create index audit_by_seal on audit_event (tenant_id, sealed_in, event_id)",
    # Append-only: what an event says never changes, and no event goes. A key's rotation seals its
    # reason anew, and the sealing of a batch marks it.
    """
    create function keep_audit_event() returns trigger language plpgsql as $$
    begin
        if tg_op = 'DELETE' then
            raise exception 'the audit trail is append-only' using errcode = '42501';
        end if;
        if (new.tenant_id, new.event_id, new.member_id, new.profile_id, new.subject_id, new.action,
            new.actor, new.at, new.actor_id, new.key_id, new.origin)
            is distinct from
            (old.tenant_id, old.event_id, old.member_id, old.profile_id, old.subject_id, old.action,
            old.actor, old.at, old.actor_id, old.key_id, old.origin)
            or (old.sealed_in is not null and new.sealed_in is distinct from old.sealed_in)
            or (old.sealed_in is not null and new.reason_digest is distinct from old.reason_digest)
        then
            raise exception 'the audit trail is append-only' using errcode = '42501';
        end if;
        return new;
    end $$
    """,
    """
    create trigger keep_audit_event before update or delete on audit_event
    for each row execute function keep_audit_event()
    """,
    "create index turn_trace_by_person on turn_trace (tenant_id, member_id)",
    "create index session_fold_by_person on session_fold (tenant_id, member_id)",
    "create index episode_by_person on episode (tenant_id, member_id)",
    "create index extraction_by_person on extraction (tenant_id, member_id)",
    "create index feedback_by_person on feedback (tenant_id, member_id)",
    "create index usage_event_by_person on usage_event (tenant_id, member_id)",
    "create index erasure_by_person on erasure (tenant_id, member_id)",
]


def upgrade() -> None:
    for table, definition in TABLES.items():
        _run([definition, *fence(table)])
    _run(STATEMENTS)


def _run(statements: list[str]) -> None:
    for statement in statements:
        op.execute(statement)

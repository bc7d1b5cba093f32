-- name: unwatch_turns
-- Numbers of jobs of another cell mean nothing here.
update turn set watch_job = null where tenant_id = %(tenant)s and watch_job is not null;


-- name: erase_guild_activity
-- A person's rows go: how active they were, under each of their names.
delete from guild_activity
where tenant_id = %(tenant)s and name_hash = any(array(
    select m.outside_id_hash from member m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
    union all
    select i.outside_id_hash from identity i
    where i.tenant_id = %(tenant)s and i.member_id = %(member)s
));


-- name: export_guild_activity
-- How active a person was, under each of their names.
select guild_id, day, messages from guild_activity
where tenant_id = %(tenant)s and name_hash = any(array(
    select m.outside_id_hash from member m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
    union all
    select i.outside_id_hash from identity i
    where i.tenant_id = %(tenant)s and i.member_id = %(member)s
))
order by day, guild_id;


-- name: sealed_memory_import
-- What an older key of a person sealed in `memory_import`.
select import_id as row_id, body from memory_import
where tenant_id = %(tenant)s and member_id = %(member)s
    and coalesce(get_byte(body, 1) * 256 + get_byte(body, 2), %(version)s) < %(version)s
limit %(most)s;


-- name: reseal_memory_import
-- A row of `memory_import` as the newest key seals it, unless somebody wrote it meanwhile.
update memory_import set body = %(new_body)s
where tenant_id = %(tenant)s and import_id = %(row)s and body is not distinct from %(old_body)s;


-- name: erase_memory_import
-- A person's rows go: memories on their way in.
delete from memory_import where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: sealed_member
-- What an older key of a person sealed in `member`.
select member_id as row_id, outside_id from member
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(outside_id, 1) * 256 + get_byte(outside_id, 2) < %(version)s)
limit %(most)s;


-- name: reseal_member
-- A row of `member` as the newest key seals it, unless somebody wrote it meanwhile.
update member set outside_id = %(new_outside_id)s
where tenant_id = %(tenant)s and member_id = %(row)s
    and outside_id = %(old_outside_id)s;


-- name: sealed_profile
-- What an older key of a person sealed in `profile`.
select profile_id as row_id, name from profile
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(name, 1) * 256 + get_byte(name, 2) < %(version)s)
limit %(most)s;


-- name: reseal_profile
-- A row of `profile` as the newest key seals it, unless somebody wrote it meanwhile.
update profile set name = %(new_name)s
where tenant_id = %(tenant)s and profile_id = %(row)s
    and name = %(old_name)s;


-- name: sealed_identity
-- What an older key of a person sealed in `identity`.
select identity_id as row_id, outside_id from identity
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(outside_id, 1) * 256 + get_byte(outside_id, 2) < %(version)s)
limit %(most)s;


-- name: reseal_identity
-- A row of `identity` as the newest key seals it, unless somebody wrote it meanwhile.
update identity set outside_id = %(new_outside_id)s
where tenant_id = %(tenant)s and identity_id = %(row)s
    and outside_id = %(old_outside_id)s;


-- name: sealed_turn
-- What an older key of a person sealed in `turn`.
select turn_id as row_id, message, inputs, reply, doc_ids from turn
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(message, 1) * 256 + get_byte(message, 2) < %(version)s
        or coalesce(get_byte(inputs, 1) * 256 + get_byte(inputs, 2), %(version)s) < %(version)s
        or coalesce(get_byte(reply, 1) * 256 + get_byte(reply, 2), %(version)s) < %(version)s
        or coalesce(get_byte(doc_ids, 1) * 256 + get_byte(doc_ids, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_turn
-- A row of `turn` as the newest key seals it, unless somebody wrote it meanwhile.
update turn set message = %(new_message)s, inputs = %(new_inputs)s, reply = %(new_reply)s,
    doc_ids = %(new_doc_ids)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and message = %(old_message)s
    and inputs is not distinct from %(old_inputs)s
    and reply is not distinct from %(old_reply)s
    and doc_ids is not distinct from %(old_doc_ids)s;


-- name: sealed_turn_trace
-- What an older key of a person sealed in `turn_trace`.
select turn_id as row_id, trace from turn_trace
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(trace, 1) * 256 + get_byte(trace, 2) < %(version)s)
limit %(most)s;


-- name: reseal_turn_trace
-- A row of `turn_trace` as the newest key seals it, unless somebody wrote it meanwhile.
update turn_trace set trace = %(new_trace)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and trace = %(old_trace)s;


-- name: sealed_session_summary
-- What an older key of a person sealed in `session_summary`.
select session_id as row_id, summary, entities from session_summary
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(summary, 1) * 256 + get_byte(summary, 2) < %(version)s
        or get_byte(entities, 1) * 256 + get_byte(entities, 2) < %(version)s)
limit %(most)s;


-- name: reseal_session_summary
-- A row of `session_summary` as the newest key seals it, unless somebody wrote it meanwhile.
update session_summary set summary = %(new_summary)s, entities = %(new_entities)s
where tenant_id = %(tenant)s and session_id = %(row)s
    and summary = %(old_summary)s
    and entities = %(old_entities)s;


-- name: sealed_episode
-- What an older key of a person sealed in `episode`.
select episode_id as row_id, content from episode
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(content, 1) * 256 + get_byte(content, 2) < %(version)s)
limit %(most)s;


-- name: reseal_episode
-- A row of `episode` as the newest key seals it, unless somebody wrote it meanwhile.
update episode set content = %(new_content)s
where tenant_id = %(tenant)s and episode_id = %(row)s
    and content = %(old_content)s;


-- name: sealed_memory
-- What an older key of a person sealed in `memory`.
select memory_id as row_id, body from memory
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(body, 1) * 256 + get_byte(body, 2) < %(version)s)
limit %(most)s;


-- name: reseal_memory
-- A row of `memory` as the newest key seals it, unless somebody wrote it meanwhile.
update memory set body = %(new_body)s
where tenant_id = %(tenant)s and memory_id = %(row)s
    and body = %(old_body)s;


-- name: sealed_digest
-- What an older key of a person sealed in `digest`.
select digest_id as row_id, body from digest
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(body, 1) * 256 + get_byte(body, 2) < %(version)s)
limit %(most)s;


-- name: reseal_digest
-- A row of `digest` as the newest key seals it, unless somebody wrote it meanwhile.
update digest set body = %(new_body)s
where tenant_id = %(tenant)s and digest_id = %(row)s
    and body = %(old_body)s;


-- name: sealed_audit_event
-- What an older key of a person sealed in `audit_event`.
select event_id as row_id, reason from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s
    and (coalesce(get_byte(reason, 1) * 256 + get_byte(reason, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_audit_event
-- A row of `audit_event` as the newest key seals it, unless somebody wrote it meanwhile.
update audit_event set reason = %(new_reason)s
where tenant_id = %(tenant)s and event_id = %(row)s
    and reason is not distinct from %(old_reason)s;


-- name: sealed_extraction
-- What an older key of a person sealed in `extraction`.
select turn_id as row_id, output from extraction
where tenant_id = %(tenant)s and member_id = %(member)s
    and (coalesce(get_byte(output, 1) * 256 + get_byte(output, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_extraction
-- A row of `extraction` as the newest key seals it, unless somebody wrote it meanwhile.
update extraction set output = %(new_output)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and output is not distinct from %(old_output)s;


-- name: sealed_memory_version
-- What an older key of a person sealed in `memory_version`.
select v.memory_id as row_id, v.version as part, v.body
from memory_version v
where v.tenant_id = %(tenant)s and v.memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
))
    and get_byte(v.body, 1) * 256 + get_byte(v.body, 2) < %(version)s
limit %(most)s;


-- name: reseal_memory_version
-- A row of `memory_version` as the newest key seals it.
update memory_version set body = %(new_body)s
where tenant_id = %(tenant)s and memory_id = %(row)s and version = %(part)s
    and body = %(old_body)s;


-- name: erase_link_code
-- A person's rows go: link codes.
delete from link_code where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_sign_in
-- A person's sign-ins.
delete from sign_in where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_identity
-- A person's rows go: linked names.
delete from identity where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_app_key
-- A person's rows go: keys bound to the person.
delete from app_key where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_turn_trace
-- A person's rows go: traces.
delete from turn_trace where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_extraction
-- A person's rows go: what was extracted.
delete from extraction where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_episode_vector
-- A person's rows go: what recall searches in episodes.
delete from episode_vector where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_episode
-- A person's rows go: episodes.
delete from episode where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_term_count
-- A person's rows go: counts of terms.
delete from term_count where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory_vector
-- A person's rows go: what recall searches in records.
delete from memory_vector where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory
-- A person's rows go: records.
delete from memory where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_digest
-- A person's rows go: digests.
delete from digest where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_session_summary
-- A person's rows go: summaries.
delete from session_summary where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_turn
-- A person's rows go: turns.
delete from turn where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_session
-- A person's rows go: sessions.
delete from session where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_profile
-- A person's rows go: profiles.
delete from profile where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory_version
-- A person's rows go: earlier versions of records.
delete from memory_version
where tenant_id = %(tenant)s and memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
));


-- name: erase_consent
-- A person's rows go: what they said about memory, for themselves and their conversations.
delete from consent
where tenant_id = %(tenant)s and subject_id = any(array(
    select s.session_id from session s
    where s.tenant_id = %(tenant)s and s.member_id = %(member)s
    union all select %(member)s::uuid
));


-- name: erase_member
-- The person goes.
delete from member where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_turn
-- A person's rows of `turn`, in order.
select * from turn where tenant_id = %(tenant)s and member_id = %(member)s order by turn_id;


-- name: export_memory
-- A person's rows of `memory`, in order.
select * from memory where tenant_id = %(tenant)s and member_id = %(member)s order by memory_id;


-- name: export_digest
-- A person's rows of `digest`, in order.
select * from digest where tenant_id = %(tenant)s and member_id = %(member)s order by digest_id;


-- name: export_session
-- A person's rows of `session`, in order.
select * from session where tenant_id = %(tenant)s and member_id = %(member)s order by session_id;


-- name: export_session_summary
-- A person's rows of `session_summary`, in order.
select * from session_summary where tenant_id = %(tenant)s and member_id = %(member)s order by session_id;


-- name: export_identity
-- A person's rows of `identity`, in order.
select * from identity where tenant_id = %(tenant)s and member_id = %(member)s order by identity_id;


-- name: export_audit_event
-- A person's rows of `audit_event`, in order.
select * from audit_event where tenant_id = %(tenant)s and member_id = %(member)s order by event_id;


-- name: export_member
-- A person's rows of `member`, in order.
select * from member where tenant_id = %(tenant)s and member_id = %(member)s order by member_id;


-- name: export_memory_version
-- Earlier versions of a person's records, in order.
select * from memory_version
where tenant_id = %(tenant)s and memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
))
order by memory_id, version;


-- name: sealed_feedback
-- What an older key of a person sealed in `feedback`.
select turn_id as row_id, correction from feedback
where tenant_id = %(tenant)s and member_id = %(member)s
    and coalesce(get_byte(correction, 1) * 256 + get_byte(correction, 2), %(version)s)
        < %(version)s
limit %(most)s;


-- name: reseal_feedback
-- A row of `feedback` as the newest key seals it, unless somebody wrote it meanwhile.
update feedback set correction = %(new_correction)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and correction is not distinct from %(old_correction)s;


-- name: erase_feedback
-- A person's rows go: thumbs and corrections.
delete from feedback where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_usage_event
-- A person's rows go: what their turns used.
delete from usage_event where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_feedback
-- A person's rows of `feedback`, in order.
select * from feedback
where tenant_id = %(tenant)s and member_id = %(member)s order by turn_id;


-- name: erase_own_document
-- A person's rows go: documents that only they read, with sections and passages.
delete from document
where tenant_id = %(tenant)s and collection_id in (
    select collection_id from collection
    where tenant_id = %(tenant)s and owner_id = %(member)s
);


-- name: erase_own_ingest
-- A person's rows go: files on their way into what only they read.
delete from ingest
where tenant_id = %(tenant)s and collection_id in (
    select collection_id from collection
    where tenant_id = %(tenant)s and owner_id = %(member)s
);


-- name: erase_own_collection
-- A person's rows go: the collection that only they read.
delete from collection where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: export_own_document
-- Documents that only a person reads, in order, with their text.
select d.document_id, d.outside_id, d.title, d.type, d.updated_at, (
    select string_agg(p.text, E'\n\n' order by p.ordinal) from passage p
    where p.tenant_id = %(tenant)s and p.document_id = d.document_id
) as text
from document d
join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and c.owner_id = %(member)s
order by d.document_id;


-- name: expired_by_type
-- Records past the time their type is kept, oldest first; core and pinned ones stay, and those whose
-- label says how long they are kept.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and type = %(type)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by said_at
limit %(most)s;


-- name: expired_by_weight
-- Old records that hardly matter, the least first; core, pinned and labelled ones stay.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and importance < %(importance)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by importance
limit %(most)s;


-- name: expired_by_label
-- Records past the time their retention label keeps them, oldest first; core and pinned ones stay.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and retention = %(label)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
order by said_at
limit %(most)s;

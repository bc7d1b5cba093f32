-- name: unwatch_turns
-- Clears ids of jobs, which are valid in the source cell only.
update turn set watch_job = null where tenant_id = %(tenant)s and watch_job is not null;


-- name: erase_guild_activity
-- Deletes a person's activity counts, under each of their names.
delete from guild_activity
where tenant_id = %(tenant)s and name_hash = any(array(
    select m.outside_id_hash from member m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
    union all
    select i.outside_id_hash from identity i
    where i.tenant_id = %(tenant)s and i.member_id = %(member)s
));


-- name: export_guild_activity
-- Exports a person's activity counts.
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
-- Rows of `memory_import` encrypted with an older key of a person.
select import_id as row_id, body from memory_import
where tenant_id = %(tenant)s and member_id = %(member)s
    and coalesce(get_byte(body, 1) * 256 + get_byte(body, 2), %(version)s) < %(version)s
limit %(most)s;


-- name: reseal_memory_import
-- Saves a row of `memory_import` with the newest key, unless it changed meanwhile.
update memory_import set body = %(new_body)s
where tenant_id = %(tenant)s and import_id = %(row)s and body is not distinct from %(old_body)s;


-- name: erase_memory_import
-- Erases a person: memory imports.
delete from memory_import where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: sealed_member
-- Rows of `member` encrypted with an older key of a person.
select member_id as row_id, outside_id from member
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(outside_id, 1) * 256 + get_byte(outside_id, 2) < %(version)s)
limit %(most)s;


-- name: reseal_member
-- Saves a row of `member` with the newest key, unless it changed meanwhile.
update member set outside_id = %(new_outside_id)s
where tenant_id = %(tenant)s and member_id = %(row)s
    and outside_id = %(old_outside_id)s;


-- name: sealed_profile
-- Rows of `profile` encrypted with an older key of a person.
select profile_id as row_id, name from profile
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(name, 1) * 256 + get_byte(name, 2) < %(version)s)
limit %(most)s;


-- name: reseal_profile
-- Saves a row of `profile` with the newest key, unless it changed meanwhile.
update profile set name = %(new_name)s
where tenant_id = %(tenant)s and profile_id = %(row)s
    and name = %(old_name)s;


-- name: sealed_identity
-- Rows of `identity` encrypted with an older key of a person.
select identity_id as row_id, outside_id from identity
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(outside_id, 1) * 256 + get_byte(outside_id, 2) < %(version)s)
limit %(most)s;


-- name: reseal_identity
-- Saves a row of `identity` with the newest key, unless it changed meanwhile.
update identity set outside_id = %(new_outside_id)s
where tenant_id = %(tenant)s and identity_id = %(row)s
    and outside_id = %(old_outside_id)s;


-- name: sealed_account
-- Rows of `account` encrypted with an older key of a person.
select member_id as row_id, email, name from account
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(email, 1) * 256 + get_byte(email, 2) < %(version)s
        or coalesce(get_byte(name, 1) * 256 + get_byte(name, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_account
-- Saves a row of `account` with the newest key, unless it changed meanwhile.
update account set email = %(new_email)s, name = %(new_name)s
where tenant_id = %(tenant)s and member_id = %(row)s
    and email = %(old_email)s
    and name is not distinct from %(old_name)s;


-- name: sealed_invitation
-- Rows of `invitation` encrypted with an older key of a person.
select invitation_id as row_id, email, name from invitation
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(email, 1) * 256 + get_byte(email, 2) < %(version)s
        or coalesce(get_byte(name, 1) * 256 + get_byte(name, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_invitation
-- Saves a row of `invitation` with the newest key, unless it changed meanwhile.
update invitation set email = %(new_email)s, name = %(new_name)s
where tenant_id = %(tenant)s and invitation_id = %(row)s
    and email = %(old_email)s
    and name is not distinct from %(old_name)s;


-- name: sealed_turn
-- Rows of `turn` encrypted with an older key of a person.
select turn_id as row_id, message, inputs, reply, doc_ids from turn
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(message, 1) * 256 + get_byte(message, 2) < %(version)s
        or coalesce(get_byte(inputs, 1) * 256 + get_byte(inputs, 2), %(version)s) < %(version)s
        or coalesce(get_byte(reply, 1) * 256 + get_byte(reply, 2), %(version)s) < %(version)s
        or coalesce(get_byte(doc_ids, 1) * 256 + get_byte(doc_ids, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_turn
-- Saves a row of `turn` with the newest key, unless it changed meanwhile.
update turn set message = %(new_message)s, inputs = %(new_inputs)s, reply = %(new_reply)s,
    doc_ids = %(new_doc_ids)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and message = %(old_message)s
    and inputs is not distinct from %(old_inputs)s
    and reply is not distinct from %(old_reply)s
    and doc_ids is not distinct from %(old_doc_ids)s;


-- name: sealed_turn_trace
-- Rows of `turn_trace` encrypted with an older key of a person.
select turn_id as row_id, trace from turn_trace
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(trace, 1) * 256 + get_byte(trace, 2) < %(version)s)
limit %(most)s;


-- name: reseal_turn_trace
-- Saves a row of `turn_trace` with the newest key, unless it changed meanwhile.
update turn_trace set trace = %(new_trace)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and trace = %(old_trace)s;


-- name: sealed_session
-- Rows of `session` encrypted with an older key of a person.
select session_id as row_id, title, auto_title from session
where tenant_id = %(tenant)s and member_id = %(member)s
    and (coalesce(get_byte(title, 1) * 256 + get_byte(title, 2), %(version)s) < %(version)s
        or coalesce(get_byte(auto_title, 1) * 256 + get_byte(auto_title, 2), %(version)s)
            < %(version)s)
limit %(most)s;


-- name: reseal_session
-- Saves a row of `session` with the newest key, unless it changed meanwhile.
update session set title = %(new_title)s, auto_title = %(new_auto_title)s
where tenant_id = %(tenant)s and session_id = %(row)s
    and title is not distinct from %(old_title)s
    and auto_title is not distinct from %(old_auto_title)s;


-- name: sealed_session_summary
-- Rows of `session_summary` encrypted with an older key of a person.
select session_id as row_id, summary, entities from session_summary
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(summary, 1) * 256 + get_byte(summary, 2) < %(version)s
        or get_byte(entities, 1) * 256 + get_byte(entities, 2) < %(version)s)
limit %(most)s;


-- name: reseal_session_summary
-- Saves a row of `session_summary` with the newest key, unless it changed meanwhile.
update session_summary set summary = %(new_summary)s, entities = %(new_entities)s
where tenant_id = %(tenant)s and session_id = %(row)s
    and summary = %(old_summary)s
    and entities = %(old_entities)s;


-- name: sealed_episode
-- Rows of `episode` encrypted with an older key of a person.
select episode_id as row_id, content from episode
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(content, 1) * 256 + get_byte(content, 2) < %(version)s)
limit %(most)s;


-- name: reseal_episode
-- Saves a row of `episode` with the newest key, unless it changed meanwhile.
update episode set content = %(new_content)s
where tenant_id = %(tenant)s and episode_id = %(row)s
    and content = %(old_content)s;


-- name: sealed_memory
-- Rows of `memory` encrypted with an older key of a person.
select memory_id as row_id, body from memory
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(body, 1) * 256 + get_byte(body, 2) < %(version)s)
limit %(most)s;


-- name: reseal_memory
-- Saves a row of `memory` with the newest key, unless it changed meanwhile.
update memory set body = %(new_body)s
where tenant_id = %(tenant)s and memory_id = %(row)s
    and body = %(old_body)s;


-- name: sealed_derived_memory
-- Rows of `derived_memory` encrypted with an older key of a person.
select derived_id as row_id, body from derived_memory
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(body, 1) * 256 + get_byte(body, 2) < %(version)s)
limit %(most)s;


-- name: sealed_digest
-- Rows of `digest` encrypted with an older key of a person.
select digest_id as row_id, body from digest
where tenant_id = %(tenant)s and member_id = %(member)s
    and (get_byte(body, 1) * 256 + get_byte(body, 2) < %(version)s)
limit %(most)s;


-- name: reseal_derived_memory
-- Saves a row of `derived_memory` with the newest key, unless it changed meanwhile.
update derived_memory set body = %(new_body)s
where tenant_id = %(tenant)s and derived_id = %(row)s
    and body = %(old_body)s;


-- name: reseal_digest
-- Saves a row of `digest` with the newest key, unless it changed meanwhile.
update digest set body = %(new_body)s
where tenant_id = %(tenant)s and digest_id = %(row)s
    and body = %(old_body)s;


-- name: sealed_audit_event
-- Rows of `audit_event` encrypted with an older key of a person.
select event_id as row_id, reason from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s
    and (coalesce(get_byte(reason, 1) * 256 + get_byte(reason, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_audit_event
-- Saves a row of `audit_event` with the newest key, unless it changed meanwhile.
update audit_event set reason = %(new_reason)s
where tenant_id = %(tenant)s and event_id = %(row)s
    and reason is not distinct from %(old_reason)s;


-- name: sealed_extraction
-- Rows of `extraction` encrypted with an older key of a person.
select turn_id as row_id, output from extraction
where tenant_id = %(tenant)s and member_id = %(member)s
    and (coalesce(get_byte(output, 1) * 256 + get_byte(output, 2), %(version)s) < %(version)s)
limit %(most)s;


-- name: reseal_extraction
-- Saves a row of `extraction` with the newest key, unless it changed meanwhile.
update extraction set output = %(new_output)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and output is not distinct from %(old_output)s;


-- name: sealed_memory_version
-- Rows of `memory_version` encrypted with an older key of a person.
select v.memory_id as row_id, v.version as part, v.body
from memory_version v
where v.tenant_id = %(tenant)s and v.memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
))
    and get_byte(v.body, 1) * 256 + get_byte(v.body, 2) < %(version)s
limit %(most)s;


-- name: reseal_memory_version
-- Saves a row of `memory_version` with the newest key.
update memory_version set body = %(new_body)s
where tenant_id = %(tenant)s and memory_id = %(row)s and version = %(part)s
    and body = %(old_body)s;


-- name: erase_link_code
-- Erases a person: link codes.
delete from link_code where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_sign_in
-- Erases a person: sign-ins.
delete from sign_in where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_reset_link
-- Erases a person: links to set a new password.
delete from reset_link where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_invitation
-- Erases a person: an invitation.
delete from invitation where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_account
-- Erases a person: the account.
delete from account where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_identity
-- Erases a person: linked names.
delete from identity where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_app_key
-- Erases a person: keys bound to the person.
delete from app_key where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_turn_trace
-- Erases a person: traces.
delete from turn_trace where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_extraction
-- Erases a person: extractions.
delete from extraction where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_episode_vector
-- Erases a person: vectors of episodes.
delete from episode_vector where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_episode
-- Erases a person: episodes.
delete from episode where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_term_count
-- Erases a person: counts of terms.
delete from term_count where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory_vector
-- Erases a person: vectors of records.
delete from memory_vector where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory
-- Erases a person: records.
delete from memory where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_derived_memory
-- Erases a person: derived records.
delete from derived_memory where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_digest
-- Erases a person: digests.
delete from digest where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_turn_terms
-- Erases a person: hashed words of turns.
delete from turn_terms where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_session_summary
-- Erases a person: summaries.
delete from session_summary where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_turn
-- Erases a person: turns.
delete from turn where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_session
-- Erases a person: sessions.
delete from session where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_profile
-- Erases a person: profiles.
delete from profile where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_memory_version
-- Erases a person: earlier versions of records.
delete from memory_version
where tenant_id = %(tenant)s and memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
));


-- name: erase_consent
-- Erases a person: consents of the person and their sessions.
delete from consent
where tenant_id = %(tenant)s and subject_id = any(array(
    select s.session_id from session s
    where s.tenant_id = %(tenant)s and s.member_id = %(member)s
    union all select %(member)s::uuid
));


-- name: erase_member
-- Erases a person: the member.
delete from member where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_turn
-- Exports a person's rows of `turn`.
select * from turn where tenant_id = %(tenant)s and member_id = %(member)s order by turn_id;


-- name: export_memory
-- Exports a person's rows of `memory`.
select * from memory where tenant_id = %(tenant)s and member_id = %(member)s order by memory_id;


-- name: export_derived_memory
-- Exports a person's rows of `derived_memory`.
select * from derived_memory where tenant_id = %(tenant)s and member_id = %(member)s order by derived_id;


-- name: export_digest
-- Exports a person's rows of `digest`.
select * from digest where tenant_id = %(tenant)s and member_id = %(member)s order by digest_id;


-- name: export_session
-- Exports a person's rows of `session`.
select * from session where tenant_id = %(tenant)s and member_id = %(member)s order by session_id;


-- name: export_session_summary
-- Exports a person's rows of `session_summary`.
select * from session_summary where tenant_id = %(tenant)s and member_id = %(member)s order by session_id;


-- name: export_account
-- Exports a person's row of `account`, without the password.
select tenant_id, member_id, email, name, created_at, password_changed_at from account
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_identity
-- Exports a person's rows of `identity`.
select * from identity where tenant_id = %(tenant)s and member_id = %(member)s order by identity_id;


-- name: export_audit_event
-- Exports a person's rows of `audit_event`.
select * from audit_event where tenant_id = %(tenant)s and member_id = %(member)s order by event_id;


-- name: export_member
-- Exports a person's rows of `member`.
select * from member where tenant_id = %(tenant)s and member_id = %(member)s order by member_id;


-- name: export_memory_version
-- Exports earlier versions of a person's records.
select * from memory_version
where tenant_id = %(tenant)s and memory_id = any(array(
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s
))
order by memory_id, version;


-- name: sealed_feedback
-- Rows of `feedback` encrypted with an older key of a person.
select turn_id as row_id, correction from feedback
where tenant_id = %(tenant)s and member_id = %(member)s
    and coalesce(get_byte(correction, 1) * 256 + get_byte(correction, 2), %(version)s)
        < %(version)s
limit %(most)s;


-- name: reseal_feedback
-- Saves a row of `feedback` with the newest key, unless it changed meanwhile.
update feedback set correction = %(new_correction)s
where tenant_id = %(tenant)s and turn_id = %(row)s
    and correction is not distinct from %(old_correction)s;


-- name: erase_feedback
-- Erases a person: feedback.
delete from feedback where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: erase_usage_event
-- Erases a person: usage events.
delete from usage_event where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_feedback
-- Exports a person's rows of `feedback`.
select * from feedback
where tenant_id = %(tenant)s and member_id = %(member)s order by turn_id;


-- name: sealed_original_part
-- Rows of `original_part` encrypted with an older key of a person.
select p.original_id as row_id, p.part, p.content
from original o
join original_part p on p.tenant_id = o.tenant_id and p.original_id = o.original_id
where o.tenant_id = %(tenant)s and o.owner_id = %(member)s and p.tenant_id = %(tenant)s
    and get_byte(p.content, 1) * 256 + get_byte(p.content, 2) < %(version)s
limit %(most)s;


-- name: reseal_original_part
-- Saves a row of `original_part` with the newest key, unless it changed meanwhile.
update original_part set content = %(new_content)s
where tenant_id = %(tenant)s and original_id = %(row)s and part = %(part)s
    and content = %(old_content)s;


-- name: erase_original_part
-- Erases a person: the content of their own files.
delete from original_part p using original o
where p.tenant_id = %(tenant)s and o.tenant_id = %(tenant)s and o.original_id = p.original_id
    and o.owner_id = %(member)s;


-- name: erase_original
-- Erases a person: their own files.
delete from original where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: export_original
-- Exports the names of a person's own files; each can be downloaded with its documents.
select original_id, name, media_type, size, created_at from original
where tenant_id = %(tenant)s and owner_id = %(member)s and complete
order by original_id;


-- name: erase_document
-- Erases a person: their own documents, with sections and passages, and that they uploaded others.
with forgotten as (
    update document set added_by = null
    where tenant_id = %(tenant)s and added_by = %(member)s and collection_id not in (
        select collection_id from collection
        where tenant_id = %(tenant)s and owner_id = %(member)s
    )
)
delete from document
where tenant_id = %(tenant)s and collection_id in (
    select collection_id from collection
    where tenant_id = %(tenant)s and owner_id = %(member)s
);


-- name: erase_ingest
-- Erases a person: pending files of their own collection, and that they uploaded others.
with forgotten as (
    update ingest set added_by = null
    where tenant_id = %(tenant)s and added_by = %(member)s and collection_id not in (
        select collection_id from collection
        where tenant_id = %(tenant)s and owner_id = %(member)s
    )
)
delete from ingest
where tenant_id = %(tenant)s and collection_id in (
    select collection_id from collection
    where tenant_id = %(tenant)s and owner_id = %(member)s
);


-- name: erase_team_memory
-- Erases a person: shared records that only they said, their words in earlier versions, and that
-- they wrote the current one.
with earlier as (
    delete from team_memory_version v
    where v.tenant_id = %(tenant)s and v.changed_by = %(member)s and v.version < (
        select m.version from team_memory m
        where m.tenant_id = v.tenant_id and m.team_memory_id = v.team_memory_id
    )
), unnamed as (
    update team_memory_version v set changed_by = null
    where v.tenant_id = %(tenant)s and v.changed_by = %(member)s and v.version = (
        select m.version from team_memory m
        where m.tenant_id = v.tenant_id and m.team_memory_id = v.team_memory_id
    )
)
delete from team_memory t
where t.tenant_id = %(tenant)s and t.team_memory_id in (
    select s.team_memory_id from team_memory_source s
    where s.tenant_id = %(tenant)s and s.member_id = %(member)s
) and not exists (
    select from team_memory_source o
    where o.tenant_id = %(tenant)s and o.team_memory_id = t.team_memory_id
        and o.member_id <> %(member)s
);


-- name: erase_team_memory_source
-- Erases a person: that they said or confirmed shared records.
delete from team_memory_source where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: export_team_memory_source
-- Exports which memories a person shared, and when.
select team_memory_id, memory_id, turn_id, said_at, shared_at from team_memory_source
where tenant_id = %(tenant)s and member_id = %(member)s order by team_memory_id;


-- name: erase_collection
-- Erases a person: their own collection.
delete from collection where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: export_document
-- Exports a person's own documents with their text.
select d.document_id, d.outside_id, d.title, d.type, d.updated_at, (
    select string_agg(p.text, E'\n\n' order by p.ordinal) from passage p
    where p.tenant_id = %(tenant)s and p.document_id = d.document_id
) as text
from document d
join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and c.owner_id = %(member)s
order by d.document_id;


-- name: expired_by_type
-- Records past the retention of their type, oldest first, without core, pinned and labelled ones.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and type = %(type)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by said_at
limit %(most)s;


-- name: expired_by_weight
-- Old unimportant records, the least important first, without core, pinned and labelled ones.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and importance < %(importance)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by importance
limit %(most)s;


-- name: expired_by_label
-- Records past the retention of their label, oldest first, without core and pinned ones.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and retention = %(label)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
order by said_at
limit %(most)s;

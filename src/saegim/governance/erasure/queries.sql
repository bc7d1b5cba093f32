-- name: lock_member
-- A member, locked while a request to erase them is stored.
select member_id from member
where tenant_id = %(tenant)s and member_id = %(member)s
for update;


-- name: lock_out_member
-- Disables a member whose erasure starts.
update member set disabled_at = coalesce(disabled_at, %(now)s)
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: open_erasure_of
-- The open erasure of a member.
select erasure_id, member_id, requested_by, state, requested_at, runs_at, key_destroyed_at, done_at,
    receipt, signature
from erasure
where tenant_id = %(tenant)s and member_id = %(member)s
    and state in ('planned', 'started', 'key_destroyed');


-- name: add_erasure
-- A request to erase a person.
insert into erasure (
    tenant_id, erasure_id, member_id, requested_by, reason, state, requested_at, runs_at
)
values (
    %(tenant)s, %(erasure)s, %(member)s, %(requested_by)s, %(reason)s, %(state)s, %(now)s, %(runs_at)s
)
returning erasure_id, member_id, requested_by, state, requested_at, runs_at, key_destroyed_at, done_at,
    receipt, signature;


-- name: hasten_erasure
-- Ends the grace period of a planned request.
update erasure set state = 'started', runs_at = %(now)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'planned';


-- name: begin_erasure
-- Starts a planned request that is due.
update erasure set state = 'started'
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'planned'
    and runs_at <= %(now)s;


-- name: cancel_erasure
-- Cancels a planned request.
update erasure set state = 'cancelled'
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'planned';


-- name: note_swept
-- Stores what was removed, for the receipt.
update erasure set receipt = %(receipt)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'key_destroyed';


-- name: find_erasure
-- A request by its id.
select erasure_id, member_id, requested_by, state, requested_at, runs_at, key_destroyed_at, done_at,
    receipt, signature
from erasure where tenant_id = %(tenant)s and erasure_id = %(erasure)s;


-- name: list_erasures
-- Requests of a tenant, or about one member, newest first, from an id on.
select erasure_id, member_id, requested_by, state, requested_at, runs_at, key_destroyed_at, done_at,
    receipt, signature
from erasure where tenant_id = %(tenant)s and erasure_id < %(before)s
    and (%(member)s::uuid is null or member_id = %(member)s)
order by erasure_id desc
limit %(most)s;


-- name: note_key_destroyed
-- Notes that the person's key is destroyed.
update erasure set state = 'key_destroyed', key_destroyed_at = %(now)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'started';


-- name: close_erasure
-- Closes an erasure with its receipt.
update erasure set state = 'done', done_at = %(now)s, receipt = %(receipt)s,
    signature = %(signature)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'key_destroyed';


-- name: count_events_of_person
-- Counts audit events about a person.
select count(*) as events from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: continue_erasures
-- Open requests of a restored or imported tenant, with the seconds until each runs. The
-- grace period of a planned one starts again: the file may be older than its cancellation.
update erasure
set runs_at = case when state = 'planned' then now() + (runs_at - requested_at) else runs_at end
where tenant_id = %(tenant)s and state in ('planned', 'started', 'key_destroyed')
returning erasure_id, greatest(date_part('epoch', runs_at - now()), 0) as seconds;


-- name: erase_jobs
-- Deletes pending jobs of a person's turns and sessions.
delete from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::text and status in ('todo', 'failed')
    and args ->> 'subject' = any(%(subjects)s::text[]);


-- name: drop_jobs_of_person
-- Deletes the pending jobs about a person, from the start of their erasure.
delete from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::uuid::text and status in ('todo', 'failed')
    and args ->> 'subject' in (
        select session_id::text from session
        where tenant_id = %(tenant)s and member_id = %(member)s
        union all
        select turn_id::text from turn where tenant_id = %(tenant)s and member_id = %(member)s
        union all
        select profile_id::text from profile
        where tenant_id = %(tenant)s and member_id = %(member)s
    );


-- name: ids_of_person
-- Ids of a person's sessions and turns, for caches and jobs.
select session_id as id, 'session' as kind from session
where tenant_id = %(tenant)s and member_id = %(member)s
union all
select turn_id, 'turn' from turn where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: stop_turns_of_person
-- Cancels a person's running turns.
update turn set cancel_requested = true
where tenant_id = %(tenant)s and member_id = %(member)s and state in ('received', 'running');


-- name: passages_of_own
-- Passages of a person's own collection.
select p.passage_id from collection c
join document d on d.tenant_id = %(tenant)s and d.collection_id = c.collection_id
join passage p on p.tenant_id = %(tenant)s and p.document_id = d.document_id
where c.tenant_id = %(tenant)s and c.owner_id = %(member)s;

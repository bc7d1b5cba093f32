-- name: lock_out_member
-- A person whose erasure was asked for; none where there is no such member.
update member set disabled_at = coalesce(disabled_at, %(now)s)
where tenant_id = %(tenant)s and member_id = %(member)s
returning member_id;

-- name: open_erasure_of
-- The erasure of a person that is on its way.
select erasure_id, member_id, asked_by, state, asked_at, key_destroyed_at, done_at, receipt,
    signature
from erasure
where tenant_id = %(tenant)s and member_id = %(member)s and state <> 'done';

-- name: add_erasure
-- A request to erase a person.
insert into erasure (tenant_id, erasure_id, member_id, asked_by, reason, state, asked_at)
values (
    %(tenant)s, %(erasure)s, %(member)s, %(asked_by)s, %(reason)s, 'asked', %(now)s
);

-- name: note_swept
-- What was removed, kept for the receipt.
update erasure set receipt = %(receipt)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'key_destroyed';

-- name: find_erasure
-- A request by its id.
select erasure_id, member_id, asked_by, state, asked_at, key_destroyed_at, done_at, receipt,
    signature
from erasure where tenant_id = %(tenant)s and erasure_id = %(erasure)s;

-- name: list_erasures
-- Requests of a tenant, newest first, from an id on.
select erasure_id, member_id, asked_by, state, asked_at, key_destroyed_at, done_at, receipt,
    signature
from erasure where tenant_id = %(tenant)s and erasure_id < %(before)s
order by erasure_id desc
limit %(most)s;

-- name: note_key_destroyed
-- The key of a person is gone.
update erasure set state = 'key_destroyed', key_destroyed_at = %(now)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'asked';

-- name: close_erasure
-- An erasure is done, with its receipt.
update erasure set state = 'done', done_at = %(now)s, receipt = %(receipt)s,
    signature = %(signature)s
where tenant_id = %(tenant)s and erasure_id = %(erasure)s and state = 'key_destroyed';

-- name: count_events_of_person
-- How many events of the audit trail are about a person.
select count(*) as events from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s;

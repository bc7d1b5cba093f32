-- name: add_tenant_event
-- Adds an event with its actor and origin.
insert into audit_event (
    tenant_id, event_id, member_id, profile_id, subject_id, action, actor, reason, at, actor_id,
    key_id, origin
)
values (
    %(tenant)s, %(event)s, %(member)s, %(profile)s, %(subject)s, %(action)s, %(actor)s, %(reason)s,
    %(now)s, %(actor_id)s, %(key)s, %(origin)s
);


-- name: list_tenant_events
-- A page of a tenant's events, newest first, with the creator of the key that was used.
select e.event_id, e.member_id, e.subject_id, e.action, e.actor, e.reason, e.at, e.actor_id,
    e.key_id, e.origin, e.reason_digest, e.sealed_in, k.made_by as key_made_by
from audit_event e
left join app_key k on k.tenant_id = e.tenant_id and k.key_id = e.key_id
where e.tenant_id = %(tenant)s and e.event_id < %(before)s
order by e.event_id desc limit %(most)s;


-- name: last_seal
-- The last batch of a tenant's trail.
select number, digest from audit_seal where tenant_id = %(tenant)s
order by number desc limit 1;


-- name: find_seal
-- One batch of a tenant's trail.
select digest from audit_seal where tenant_id = %(tenant)s and number = %(number)s;


-- name: unsealed_events
-- Events without a batch, oldest first, without the newest: earlier ones may not be committed yet.
select event_id, member_id, subject_id, action, actor, reason, at, actor_id, key_id, origin,
    reason_digest
from audit_event
where tenant_id = %(tenant)s and sealed_in is null and event_id < %(before)s
order by event_id limit %(most)s;


-- name: count_unsealed
-- Counts events without a batch.
select count(*) as events from audit_event where tenant_id = %(tenant)s and sealed_in is null;


-- name: mark_sealed
-- Assigns an event to a batch, with the hash of its reason.
update audit_event set sealed_in = %(number)s, reason_digest = %(reason_digest)s
where tenant_id = %(tenant)s and event_id = %(event)s;


-- name: add_seal
-- Adds a batch, chained to the previous one.
insert into audit_seal (tenant_id, number, events, digest, sealed_at)
values (%(tenant)s, %(number)s, %(events)s, %(digest)s, %(now)s);


-- name: list_seals
-- Batches of a tenant's trail after one of them, in order.
select number, events, digest from audit_seal
where tenant_id = %(tenant)s and number > %(after)s
order by number limit %(most)s;


-- name: events_of_seal
-- The events of a batch, in order.
select event_id, member_id, subject_id, action, actor, reason, at, actor_id, key_id, origin,
    reason_digest
from audit_event
where tenant_id = %(tenant)s and sealed_in = %(number)s
order by event_id;

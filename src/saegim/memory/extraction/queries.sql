-- name: find_time_zone
-- Find the time zone of a user.
select time_zone from member where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: turns_to_extract
-- List the recorded turns of a session up to a number, newest first, and how each was extracted.
select t.*, e.origin, e.error as extraction_error, e.attempts as extraction_attempts, exists (
    select from turn n
    where n.tenant_id = %(tenant)s and n.session_id = %(session)s and n.number > %(number)s
        and n.state in ('done', 'incomplete') and n.in_use
) as has_newer
from turn t
left join extraction e on e.tenant_id = %(tenant)s and e.turn_id = t.turn_id
where t.tenant_id = %(tenant)s and t.session_id = %(session)s and t.number <= %(number)s
    and t.state in ('done', 'incomplete') and t.in_use
order by t.number desc
limit %(count)s;


-- name: find_turn_before
-- Find the recorded turn before a turn of the caller.
select b.turn_id from turn t
join turn b on b.tenant_id = t.tenant_id and b.session_id = t.session_id and b.number < t.number
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s
    and b.tenant_id = %(tenant)s and b.state in ('done', 'incomplete') and b.in_use
order by b.number desc
limit 1;


-- name: turns_of_fallback
-- List turns extracted by the fallback, after an id.
select turn_id, member_id from extraction
where tenant_id = %(tenant)s and origin = 'fallback' and turn_id > %(after)s
order by turn_id
limit %(count)s;


-- name: owners_of_turns
-- Find the owners of turns.
select turn_id, member_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: leave_turn_out
-- Exclude a turn of the caller from extraction.
insert into extraction (tenant_id, turn_id, member_id, origin, attempts, at)
select %(tenant)s, t.turn_id, t.member_id, 'person', 1, %(now)s
from turn t
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s
on conflict (tenant_id, turn_id) do update
set origin = excluded.origin, error = null, output = null, at = excluded.at
where extraction.tenant_id = %(tenant)s;


-- name: include_turn_again
-- Include a turn again that the user left out.
delete from extraction
where tenant_id = %(tenant)s and turn_id = %(turn)s and member_id = %(member)s
    and origin = 'person';


-- name: find_profile_owner
-- Find the owner of a profile.
select member_id from profile where tenant_id = %(tenant)s and profile_id = %(profile)s;

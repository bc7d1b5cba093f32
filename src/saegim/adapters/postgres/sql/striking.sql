-- name: forgotten_memories
-- Records of a person that are forgotten, by id.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is not null;

-- name: hold_sessions_of
-- The sessions of some turns of a person, held before their turns are: whoever removes one takes
-- both in this order too.
select s.session_id from session s
where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
    and s.session_id in (
        select t.session_id from turn t
        where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    )
order by s.session_id
for no key update;

-- name: hold_turns
-- Turns of a person that have text, held while they are marked; in order, so that two cannot
-- deadlock.
select * from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
    and member_id = %(member)s and profile_id = %(profile)s and state in ('done', 'incomplete')
order by turn_id
for no key update;

-- name: turns_saying
-- The turns whose episodes have most of these terms in their last turn.
select t.turn_id from (
    select session_id, last_turn from episode_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = %(index_version)s
        and (coalesce(own, terms) <#> %(terms)s::sparsevec) < 0
    order by coalesce(own, terms) <#> %(terms)s::sparsevec
    limit %(most)s
) e
join turn t on t.tenant_id = %(tenant)s and t.session_id = e.session_id and t.number = e.last_turn;

-- name: last_turns
-- The last turns of a session; not all of them have episodes yet.
select turn_id from turn
where tenant_id = %(tenant)s and session_id = %(session)s
order by number desc
limit %(most)s;

-- name: strike_turn
-- Which places of a turn are struck, by the records that they are struck or kept for.
update turn set struck = %(struck)s where tenant_id = %(tenant)s and turn_id = %(turn)s;

-- name: note_struck
-- The turns that the words of a record are struck from.
update memory set struck = %(turns)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s;

-- name: episodes_around
-- The episodes that these turns are part of, each with the turn it ends with.
select e.episode_id, e.session_id, l.turn_id from turn t
join episode e on e.tenant_id = %(tenant)s and e.session_id = t.session_id
    and t.number between e.first_turn and e.last_turn
join turn l on l.tenant_id = %(tenant)s and l.session_id = e.session_id and l.number = e.last_turn
where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    and t.member_id = %(member)s and t.profile_id = %(profile)s
group by e.episode_id, e.session_id, l.turn_id
order by l.turn_id;

-- name: hold_folds_of
-- What sessions were folded into, where a turn that changed is part of it, and whether all that was
-- folded is there still: the oldest turns of a long conversation may be gone.
select f.session_id, f.summary, f.entities, (
    select min(t.number) from turn t
    where t.tenant_id = %(tenant)s and t.session_id = f.session_id
) = 1 as complete
from session_fold f
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as changed (session_id, number)
    on f.session_id = changed.session_id and f.folded_through >= changed.number
where f.tenant_id = %(tenant)s
for update of f;

-- name: drop_folds
-- What sessions were folded into, which is made again.
delete from session_fold
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);

-- name: rewrite_fold
-- What a session was folded into, without some of it.
update session_fold set summary = %(summary)s, entities = %(entities)s
where tenant_id = %(tenant)s and session_id = %(session)s;

-- name: age_sessions
-- States of these sessions that are at hand are old.
update session set folds = folds + 1
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);

-- name: tell_outdated
-- Where a turn says what was corrected or replaced since, by record.
update turn set outdated = %(outdated)s where tenant_id = %(tenant)s and turn_id = %(turn)s;

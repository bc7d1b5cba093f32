-- name: expired_sessions
-- Sessions that nobody used since, held while they are removed.
select session_id from session
where tenant_id = %(tenant)s and used_at < %(before)s
order by used_at
limit %(most)s
for update skip locked;

-- name: expired_turns
-- Turns that were stored before an id of that time, folded, and not among a session's last few.
select t.turn_id, t.session_id, t.number
from turn t
join session_fold f on f.tenant_id = t.tenant_id and f.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id < %(before)s and t.number <= f.folded_through
    and t.number <= (
        select l.number from turn l
        where l.tenant_id = %(tenant)s and l.session_id = t.session_id
            and l.state in ('done', 'incomplete')
        order by l.number desc
        offset %(recent)s limit 1
    )
order by t.turn_id
limit %(most)s;

-- name: turns_of_sessions
-- The turns of sessions that are removed.
select turn_id from turn where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);

-- name: hold_turns_to_remove
-- Turns before their episodes: whoever makes an episode holds its turns first.
select turn_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
order by turn_id
for update;

-- name: episodes_of_turns
-- Episodes that quote a turn of these sessions up to a number.
select e.episode_id
from episode e
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as gone (session_id, number)
    on e.session_id = gone.session_id and e.first_turn <= gone.number
where e.tenant_id = %(tenant)s;

-- name: drop_episode_vectors
-- What recall searches in episodes goes, and their terms are counted no more; term 0 stands for all.
with gone as (
    delete from episode_vector
    where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[])
    returning member_id, profile_id, index_version, terms
), counted as (
    select g.member_id, g.profile_id, g.index_version,
        split_part(pair, ':', 1)::integer as term, count(*)::integer as episodes
    from gone g
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(g.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
    group by g.member_id, g.profile_id, g.index_version, split_part(pair, ':', 1)
)
update term_count c set episodes = c.episodes - counted.episodes
from counted
where c.tenant_id = %(tenant)s and c.member_id = counted.member_id
    and c.profile_id = counted.profile_id and c.index_version = counted.index_version
    and c.term = counted.term;

-- name: drop_episodes
-- Episodes by id.
delete from episode where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[]);

-- name: drop_traces
-- The traces of turns.
delete from turn_trace where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);

-- name: drop_feedback
-- What was said of turns.
delete from feedback where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);

-- name: drop_turns
-- Turns by id.
delete from turn where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);

-- name: drop_sessions
-- Sessions by id; what they were folded into goes along.
delete from session where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);

-- name: has_sessions
-- Whether a tenant has conversations or ingests, which clean-ups are for.
(select 1 from session where tenant_id = %(tenant)s order by used_at limit 1)
union all
(select 1 from ingest where tenant_id = %(tenant)s order by created_at limit 1)
limit 1;

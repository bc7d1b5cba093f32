-- name: find_settled_turn
-- A turn that has text, by id.
select * from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('done', 'incomplete');

-- name: window_of_turns
-- The recorded turns that end with a number, newest first.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s and number <= %(number)s
    and state in ('done', 'incomplete')
order by number desc
limit %(count)s;

-- name: find_episode
-- The episode of a window.
select episode_id from episode
where tenant_id = %(tenant)s and session_id = %(session)s
    and first_turn = %(first_turn)s and last_turn = %(last_turn)s;

-- name: add_episode
-- A window of turns; whoever comes second adds nothing.
insert into episode (
    tenant_id, episode_id, member_id, profile_id, session_id, first_turn, last_turn, content,
    said_at, created_at
)
values (
    %(tenant)s, %(episode)s, %(member)s, %(profile)s, %(session)s, %(first_turn)s, %(last_turn)s,
    %(content)s, %(said_at)s, %(now)s
)
on conflict (tenant_id, session_id, first_turn, last_turn) do nothing
returning episode_id;

-- name: add_episode_vector
-- What recall searches in an episode, in a narrow row.
insert into episode_vector (
    tenant_id, member_id, profile_id, episode_id, index_version, session_id, last_turn, said_at,
    embedding, terms, own, own_length, marks, speaker
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(episode)s, %(index_version)s, %(session)s,
    %(last_turn)s, %(said_at)s, %(embedding)s::halfvec, %(terms)s::sparsevec, %(own)s::sparsevec,
    %(own_length)s, %(marks)s, %(speaker)s
);

-- name: count_terms
-- In how many of a person's episodes a term stands; term 0 in all. Sorted, so that two writers
-- cannot deadlock.
insert into term_count (tenant_id, member_id, profile_id, index_version, term, episodes)
select %(tenant)s, %(member)s, %(profile)s, %(index_version)s, term, 1
from unnest(%(terms)s::int[]) as term
order by term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set episodes = term_count.episodes + 1;

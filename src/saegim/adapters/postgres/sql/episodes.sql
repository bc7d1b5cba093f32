-- name: find_settled_turn
-- A turn that has text, by id.
select * from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('done', 'incomplete');

-- name: window_of_turns
-- The recorded turns that end with a number, newest first; those that the person had left out of
-- memory are marked.
select t.*, e.turn_id is not null as left_out from turn t
left join extraction e on e.tenant_id = %(tenant)s and e.turn_id = t.turn_id
    and e.origin = 'person'
where t.tenant_id = %(tenant)s and t.session_id = %(session)s and t.number <= %(number)s
    and t.state in ('done', 'incomplete')
order by t.number desc
limit %(count)s;

-- name: find_episode
-- The episode of a window, and whether recall finds it.
select e.episode_id, exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
) as indexed
from episode e
where e.tenant_id = %(tenant)s and e.session_id = %(session)s
    and e.first_turn = %(first_turn)s and e.last_turn = %(last_turn)s;

-- name: hold_window
-- What of the turns of a window is struck or left out; what is struck stays so until the
-- transaction ends.
select t.struck, exists (
    select from extraction e
    where e.tenant_id = %(tenant)s and e.turn_id = t.turn_id and e.origin = 'person'
) as left_out
from turn t
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.number between %(first_turn)s and %(last_turn)s and t.state in ('done', 'incomplete')
order by t.number
for share of t;

-- name: rewrite_episode
-- An episode that is made again, unless somebody did.
update episode e set content = %(content)s
where e.tenant_id = %(tenant)s and e.episode_id = %(episode)s and not exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
)
returning e.episode_id;

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

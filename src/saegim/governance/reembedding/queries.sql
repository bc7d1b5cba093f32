-- name: lock_index_states
-- A tenant's index pointers, locked against writers of vectors.
select subject, index_version, embedder, dimensions from index_state
where tenant_id = %(tenant)s
order by subject
for update;


-- name: retired_indexes
-- Retired indexes that may be removed.
select subject, index_version, embedder from retired_index
where tenant_id = %(tenant)s and retired_at <= %(before)s
order by subject, index_version;


-- name: forget_retired_index
-- Forgets a retired index.
delete from retired_index
where tenant_id = %(tenant)s and subject = %(subject)s and index_version = %(generation)s;


-- name: embedder_is_needed
-- Whether an embedder is still needed by an index of the library that
-- is active, being built, retired later, or the target of a move.
select exists (
        select from index_state
        where tenant_id = %(tenant)s and subject = %(subject)s and embedder = %(embedder)s
    )
    or exists (select from index_build where tenant_id = %(tenant)s and embedder = %(embedder)s)
    or exists (
        select from retired_index
        where tenant_id = %(tenant)s and subject = %(subject)s and embedder = %(embedder)s
            and index_version <> %(generation)s
    )
    or exists (
        select from reembed
        where tenant_id = %(tenant)s and embedder = %(embedder)s and state = 'running'
    ) as needed;


-- name: index_states
-- A tenant's index pointers.
select subject, embedder from index_state where tenant_id = %(tenant)s;


-- name: start_reembed
-- Starts a move to another embedder, unless one is running.
insert into reembed (tenant_id, embedder, dimensions, state, cursors, embedded, total, started_at)
values (%(tenant)s, %(embedder)s, %(dimensions)s, 'running', '{}', 0, %(total)s, %(now)s)
on conflict (tenant_id) do update
set embedder = excluded.embedder, dimensions = excluded.dimensions, state = excluded.state,
    cursors = excluded.cursors, embedded = excluded.embedded, total = excluded.total,
    started_at = excluded.started_at, switched_at = null
where reembed.state <> 'running';


-- name: find_reembed
-- The newest move of a tenant to another embedder.
select embedder, dimensions, state, cursors, embedded, total from reembed
where tenant_id = %(tenant)s;


-- name: note_reembedded
-- Saves progress, in the transaction that saves the vectors; no row if the move was cancelled.
update reembed set cursors = cursors || %(cursors)s::jsonb, embedded = embedded + %(count)s
where tenant_id = %(tenant)s and embedder = %(embedder)s and state = 'running';


-- name: rewind_reembed
-- Starts the scan again: rows were added behind the cursor.
update reembed set cursors = '{}' where tenant_id = %(tenant)s;


-- name: end_reembed
-- Ends a move; no row if it had ended.
update reembed set state = %(state)s, switched_at = %(now)s
where tenant_id = %(tenant)s and embedder = %(embedder)s and state = 'running';


-- name: count_passages
-- Counts a tenant's passages.
select count(*) as found from passage where tenant_id = %(tenant)s;


-- name: lacking_passages
-- Passages without a vector of an embedder, with the text to embed.
select p.passage_id, p.text, s.path, d.title
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    and not exists (
        select from passage_vector v
        where v.tenant_id = %(tenant)s and v.passage_id = p.passage_id
            and v.embedder = %(embedder)s
    )
order by p.passage_id;


-- name: save_passage_vectors
-- Saves vectors of passages that still exist.
insert into passage_vector (tenant_id, passage_id, embedder, embedding)
select %(tenant)s, p.passage_id, %(embedder)s, made.embedding::halfvec
from unnest(%(passages)s::uuid[], %(embeddings)s::text[]) as made (passage_id, embedding)
join passage p on p.passage_id = made.passage_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
for key share of p
on conflict (tenant_id, passage_id, embedder) do nothing;


-- name: note_embedded_passages
-- Queues index changes for passages that a running build has already passed.
insert into index_change (tenant_id, passage_id)
select %(tenant)s, made.passage_id
from index_build b
join unnest(%(passages)s::uuid[]) as made (passage_id) on made.passage_id <= b.after
where b.tenant_id = %(tenant)s and b.embedder = %(embedder)s;


-- name: passages_lack_vectors
-- Whether any passage has no vector of an embedder.
select exists (
    select from passage p
    where p.tenant_id = %(tenant)s and not exists (
        select from passage_vector v
        where v.tenant_id = %(tenant)s and v.passage_id = p.passage_id
            and v.embedder = %(embedder)s
    )
) as lacking;


-- name: drop_passage_vectors
-- Deletes vectors of an embedder that no index needs.
delete from passage_vector
where tenant_id = %(tenant)s and passage_id = any(%(passages)s::uuid[])
    and embedder = %(embedder)s;


-- name: count_episodes
-- Counts a tenant's episodes.
select count(*) as found from episode where tenant_id = %(tenant)s;


-- name: next_episodes
-- A page of all episodes, in the order of their ids.
select episode_id, member_id from episode
where tenant_id = %(tenant)s and episode_id > %(after)s
order by episode_id
limit %(count)s;


-- name: lacking_episodes
-- Episodes that are not in an index version.
select e.episode_id, e.member_id, e.content
from episode e
where e.tenant_id = %(tenant)s and e.episode_id = any(%(episodes)s::uuid[])
    and not exists (
        select from episode_vector v
        where v.tenant_id = %(tenant)s and v.member_id = e.member_id
            and v.profile_id = e.profile_id and v.episode_id = e.episode_id
            and v.index_version = %(index_version)s
    )
order by e.episode_id;


-- name: save_episode_vectors
-- Copies episodes to an index version with new vectors; adds their terms to its counts.
-- Sorted, so that two writers cannot deadlock.
with kept as (
    insert into episode_vector (
        tenant_id, member_id, profile_id, episode_id, index_version, session_id, last_turn,
        said_at, embedding, terms, own, own_length, marks, speaker, message
    )
    select %(tenant)s, v.member_id, v.profile_id, v.episode_id, %(index_version)s, v.session_id,
        v.last_turn, v.said_at, made.embedding::halfvec, v.terms, v.own, v.own_length, v.marks,
        v.speaker, v.message
    from unnest(%(items)s::uuid[], %(embeddings)s::text[]) as made (episode_id, embedding)
    join episode e on e.episode_id = made.episode_id
    join episode_vector v
        on v.tenant_id = e.tenant_id and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
    where e.tenant_id = %(tenant)s and e.episode_id = any(%(items)s::uuid[])
        and v.tenant_id = %(tenant)s and v.index_version = %(active)s
    for key share of e
    on conflict do nothing
    returning member_id, profile_id, terms
), counted as (
    select k.member_id, k.profile_id, split_part(pair, ':', 1)::integer as term,
        count(*)::integer as episodes
    from kept k
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(k.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
    group by k.member_id, k.profile_id, split_part(pair, ':', 1)
)
insert into term_count (tenant_id, member_id, profile_id, index_version, term, episodes)
select %(tenant)s, member_id, profile_id, %(index_version)s, term, episodes
from counted
order by member_id, profile_id, term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set episodes = term_count.episodes + excluded.episodes;


-- name: episodes_lack_vectors
-- Whether an episode of the active version is missing in another.
select exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.index_version = %(active)s and not exists (
        select from episode_vector n
        where n.tenant_id = %(tenant)s and n.member_id = v.member_id
            and n.profile_id = v.profile_id and n.episode_id = v.episode_id
            and n.index_version = %(index_version)s
    )
) as lacking;


-- name: drop_index_version
-- Deletes episodes of an inactive index version.
delete from episode_vector
where tenant_id = %(tenant)s and index_version = %(index_version)s
    and (member_id, profile_id, episode_id) in (
        select member_id, profile_id, episode_id from episode
        where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[])
    );


-- name: drop_term_counts
-- Deletes term counts of an inactive index version.
delete from term_count
where tenant_id = %(tenant)s and member_id = any(%(members)s::uuid[])
    and index_version = %(index_version)s;


-- name: count_memories
-- Counts a tenant's records.
select count(*) as found from memory where tenant_id = %(tenant)s;


-- name: next_memories
-- A page of all records, in the order of their natural keys: their ids are in order within a person.
select memory_id, member_id, natural_hash from memory
where tenant_id = %(tenant)s and natural_hash > %(after)s::bytea
order by natural_hash
limit %(count)s;


-- name: lacking_memories
-- Records that are not in an index version.
select m.memory_id, m.member_id, m.body
from memory m
where m.tenant_id = %(tenant)s and m.natural_hash = any(%(keys)s::bytea[])
    and not exists (
        select from memory_vector v
        where v.tenant_id = %(tenant)s and v.member_id = m.member_id
            and v.profile_id = m.profile_id and v.memory_id = m.memory_id
            and v.index_version = %(index_version)s
    );


-- name: save_memory_vectors
-- Copies records to an index version with new vectors; adds their terms to its counts.
-- Sorted, so that two writers cannot deadlock.
with kept as (
    insert into memory_vector (
        tenant_id, member_id, profile_id, memory_id, index_version, said_at, valid_from, ended_at,
        forgotten, type, importance, embedding, terms
    )
    select %(tenant)s, v.member_id, v.profile_id, v.memory_id, %(index_version)s, v.said_at,
        v.valid_from, v.ended_at, v.forgotten, v.type, v.importance, made.embedding::halfvec,
        v.terms
    from unnest(%(items)s::uuid[], %(embeddings)s::text[]) as made (memory_id, embedding)
    join memory_vector v on v.memory_id = made.memory_id
    where v.tenant_id = %(tenant)s and v.index_version = %(active)s
        and v.memory_id = any(%(items)s::uuid[])
    on conflict do nothing
    returning member_id, profile_id, terms
), counted as (
    select k.member_id, k.profile_id, split_part(pair, ':', 1)::integer as term,
        count(*)::integer as records
    from kept k
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(k.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
    group by k.member_id, k.profile_id, split_part(pair, ':', 1)
)
insert into term_count (tenant_id, member_id, profile_id, index_version, term, records)
select %(tenant)s, member_id, profile_id, %(index_version)s, term, records
from counted
order by member_id, profile_id, term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set records = term_count.records + excluded.records;


-- name: memories_lack_vectors
-- Whether a record of the active version is missing in another.
select exists (
    select from memory_vector v
    where v.tenant_id = %(tenant)s and v.index_version = %(active)s and not exists (
        select from memory_vector n
        where n.tenant_id = %(tenant)s and n.member_id = v.member_id
            and n.profile_id = v.profile_id and n.memory_id = v.memory_id
            and n.index_version = %(index_version)s
    )
) as lacking;


-- name: drop_memory_index_version
-- Deletes records of an inactive index version.
delete from memory_vector
where tenant_id = %(tenant)s and member_id = any(%(members)s::uuid[])
    and memory_id = any(%(memories)s::uuid[]) and index_version = %(index_version)s;

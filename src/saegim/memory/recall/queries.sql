-- name: all_memories
-- Find the core and pinned records valid at a time, most important first.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and (core or pinned) and forgotten_at is null
    and (pinned or origin <> 'fallback' or not under_old_rules)
    and said_at <= %(as_of)s and (ended_at is null or ended_at > %(as_of)s)
order by pinned desc, importance desc, memory_id desc;


-- name: find_term_counts
-- Read the index state, the row count of each term, and the oldest transaction that may still be
-- writing.
select s.index_version, s.embedder, s.dimensions, c.term, c.records, c.episodes,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
    pg_postmaster_start_time() as server
from index_state s
left join term_count c
    on c.tenant_id = %(tenant)s and c.member_id = %(member)s and c.profile_id = %(profile)s
    and c.index_version = s.index_version and c.term = any(%(terms)s::int[])
where s.tenant_id = %(tenant)s and s.subject = %(subject)s;


-- name: scan_memories
-- Score all valid records. Each column is one byte string, at a tenth of the cost of rows.
select string_agg(uuid_send(memory_id), '') as ids,
    string_agg(float4send((-(embedding <#> %(embedding)s::halfvec))::real), '') as dense,
    string_agg(float4send((-(terms <#> %(terms)s::sparsevec))::real), '') as lexical,
    string_agg(float4send(importance), '') as importance,
    string_agg(timestamptz_send(said_at), '') as said,
    string_agg(timestamptz_send(valid_from), '') as holds
from memory_vector
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and index_version = %(index_version)s and not forgotten and type = any(%(types)s::text[])
    and said_at <= %(as_of)s and (ended_at is null or ended_at > %(as_of)s)
    and said_at between %(said_from)s and %(said_until)s;


-- name: mean_of_turns
-- Return the mean of the vectors of a user's turns; 200 are enough, and more would take longer than
-- the scan.
select avg(turns.own::vector)::real[] as mean
from (
    select coalesce(own_embedding, embedding) as own from episode_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = (
            select index_version from index_state
            where tenant_id = %(tenant)s and subject = %(subject)s
        )
    limit 200
) as turns;


-- name: scan_episodes
-- Score all episodes and their last turns, like `scan_memories`.
select string_agg(uuid_send(episode_id), '') as ids,
    string_agg(uuid_send(coalesce(session_id, episode_id)), '') as sessions,
    string_agg(int4send(coalesce(last_turn, 0)), '') as turns,
    string_agg(float4send((-(embedding <#> %(plain)s::halfvec))::real), '') as dense,
    string_agg(float4send((-(terms <#> %(terms)s::sparsevec))::real), '') as "window",
    string_agg(float4send((-(coalesce(own, terms) <#> %(terms)s::sparsevec))::real), '') as own,
    string_agg(
        float4send((-(coalesce(message, own, terms) <#> %(terms)s::sparsevec))::real), ''
    ) as message,
    string_agg(
        float4send((-(coalesce(own_embedding, embedding) <#> %(plain)s::halfvec))::real), ''
    ) as own_dense,
    string_agg(
        float4send((-(coalesce(own_embedding, embedding) <#> %(mean)s::halfvec))::real), ''
    ) as common,
    string_agg(timestamptz_send(coalesce(said_at, '1970-01-01Z')), '') as said,
    string_agg(int8send((own_length::bigint << 32) | (speaker::bigint & 4294967295)), '') as spoken,
    string_agg(int4send(marks), '') as marks
from episode_vector
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and index_version = %(index_version)s and coalesce(said_at, %(as_of)s) <= %(as_of)s
    and coalesce(said_at, %(as_of)s) between %(said_from)s and %(said_until)s;


-- name: memory_since
-- Refresh a cached memory in one statement: consent, term counts, and all records and episodes
-- written since a transaction (0: all), each column as one byte string.
with state as (
    select index_version, embedder, dimensions from index_state
    where tenant_id = %(tenant)s and subject = %(subject)s
), permitted as (
    select coalesce(bool_and(allowed and recall), true) as allowed from consent
    where tenant_id = %(tenant)s and subject_id = any(%(subjects)s::uuid[])
), counted as (
    select array_agg(term) as terms, array_agg(records) as records,
        array_agg(episodes) as episodes
    from term_count
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = (select index_version from state) and term = any(%(terms)s::int[])
), record_rows as (
    select string_agg(uuid_send(memory_id), '') as record_ids,
        string_agg(substring(halfvec_send(embedding) from 5), '') as record_vectors,
        string_agg(substring(sparsevec_send(terms) from 5 for 4), '') as record_counts,
        string_agg(substring(sparsevec_send(terms) from 13), '') as record_terms,
        string_agg(float4send(importance), '') as record_importance,
        string_agg(timestamptz_send(said_at), '') as record_said,
        string_agg(timestamptz_send(valid_from), '') as record_holds,
        string_agg(timestamptz_send(coalesce(ended_at, 'infinity')), '') as record_ended,
        string_agg(int4send(forgotten::integer), '') as record_forgotten,
        string_agg(type, ',') as record_types
    from memory_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = (select index_version from state)
        and changed > '0' and changed >= %(since)s::text::xid8
), episode_rows as (
    select string_agg(uuid_send(episode_id), '') as episode_ids,
        string_agg(substring(halfvec_send(embedding) from 5), '') as episode_vectors,
        string_agg(substring(sparsevec_send(terms) from 5 for 4), '') as episode_counts,
        string_agg(substring(sparsevec_send(terms) from 13), '') as episode_terms,
        string_agg(substring(sparsevec_send(coalesce(own, terms)) from 5 for 4), '') as own_counts,
        string_agg(substring(sparsevec_send(coalesce(own, terms)) from 13), '') as own_terms,
        string_agg(
            substring(sparsevec_send(coalesce(message, own, terms)) from 5 for 4), ''
        ) as message_counts,
        string_agg(
            substring(sparsevec_send(coalesce(message, own, terms)) from 13), ''
        ) as message_terms,
        string_agg(
            substring(halfvec_send(coalesce(own_embedding, embedding)) from 5), ''
        ) as own_vectors,
        string_agg(uuid_send(coalesce(session_id, episode_id)), '') as episode_sessions,
        string_agg(int4send(coalesce(last_turn, 0)), '') as episode_turns,
        string_agg(timestamptz_send(coalesce(said_at, '1970-01-01Z')), '') as episode_said,
        string_agg(
            int8send((own_length::bigint << 32) | (speaker::bigint & 4294967295)), ''
        ) as episode_spoken,
        string_agg(int4send(marks), '') as episode_marks
    from episode_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = (select index_version from state)
        and changed > '0' and changed >= %(since)s::text::xid8
)
select state.*, permitted.*, counted.*, record_rows.*, episode_rows.*,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
    pg_postmaster_start_time() as server
from state cross join permitted cross join counted
    cross join record_rows cross join episode_rows;


-- name: turns_of_episodes
-- Find the last turns of episodes, without those of other branches and hidden sessions.
select e.episode_id, t.* from episode e
join turn t on t.tenant_id = e.tenant_id and t.session_id = e.session_id
    and t.number = e.last_turn
join session s on s.tenant_id = e.tenant_id and s.session_id = e.session_id
where e.tenant_id = %(tenant)s and e.episode_id = any(%(episodes)s::uuid[])
    and e.member_id = %(member)s and e.profile_id = %(profile)s
    and t.tenant_id = %(tenant)s and t.in_use
    and s.tenant_id = %(tenant)s and s.deleted_at is null;

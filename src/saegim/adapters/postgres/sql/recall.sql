-- name: find_term_counts
-- How many of a person's rows hold each of these terms.
select term, records, episodes from term_count
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and index_version = %(index_version)s and term = any(%(terms)s::int[]);

-- name: near_memories
-- The records that hold now and are nearest by words or by meaning, both scores exact.
with scanned as materialized (
    select memory_id,
        1 - (embedding <=> %(embedding)s::halfvec) as dense,
        -(terms <#> %(terms)s::sparsevec) as lexical
    from memory_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = %(index_version)s and not forgotten
        and (ended_at is null or ended_at > %(now)s)
), ranked as (
    select memory_id, dense, lexical,
        row_number() over (order by dense desc) as by_meaning,
        row_number() over (order by lexical desc) as by_words
    from scanned
)
select memory_id, dense, lexical from ranked
where by_meaning <= %(count)s or (by_words <= %(count)s and lexical > 0)
order by least(by_meaning, by_words), by_meaning;

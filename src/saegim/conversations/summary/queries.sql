-- name: read_session_state
-- Read the version and the summary of a session of the caller.
select
    s.completed_turns, s.summary_version, f.summary, f.entities,
    coalesce(f.summarised_through, 0) as summarised_through
from session s
left join session_summary f on f.tenant_id = s.tenant_id and f.session_id = s.session_id
where s.tenant_id = %(tenant)s and s.session_id = %(session)s
    and s.member_id = %(member)s and s.profile_id = %(profile)s;


-- name: context_turns
-- List the turns of working memory: the last few, and the newest that are not summarised.
(
    select * from turn t
    where t.tenant_id = %(tenant)s and t.session_id = %(session)s
        and t.state in ('done', 'incomplete') and t.in_use
        and t.number > %(summarised_through)s
    order by t.number desc
    limit %(most)s
)
union all
(
    select * from turn l
    where l.tenant_id = %(tenant)s and l.session_id = %(session)s
        and l.state in ('done', 'incomplete') and l.in_use
        and l.number <= %(summarised_through)s
    order by l.number desc
    limit %(recent)s
);


-- name: find_backlog
-- Read the owner and the summary of a session.
select
    s.member_id, s.profile_id, s.summary_version, f.summary, f.entities,
    coalesce(f.summarised_through, 0) as summarised_through
from session s
left join session_summary f on f.tenant_id = s.tenant_id and f.session_id = s.session_id
where s.tenant_id = %(tenant)s and s.session_id = %(session)s;


-- name: unsummarised_turns
-- List the oldest turns of a session that are not summarised, settled or not.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s and number > %(summarised_through)s
    and state <> 'failed' and in_use
order by number
limit %(most)s;


-- name: advance_summary
-- Increment the summary version unless another summary was saved since.
update session set summary_version = summary_version + 1
where tenant_id = %(tenant)s and session_id = %(session)s and summary_version = %(summary_version)s
returning summary_version;


-- name: save_summary
-- Insert or replace the summary of a session.
insert into session_summary (
    tenant_id, session_id, member_id, summary_version, summarised_through, summary, entities,
    made_by, updated_at
)
values (
    %(tenant)s, %(session)s, %(member)s, %(summary_version)s, %(summarised_through)s, %(summary)s,
    %(entities)s, %(made_by)s, %(now)s
)
on conflict (tenant_id, session_id) do update
set summary_version = excluded.summary_version, summarised_through = excluded.summarised_through,
    summary = excluded.summary, entities = excluded.entities, made_by = excluded.made_by,
    updated_at = excluded.updated_at;

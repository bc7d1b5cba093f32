-- name: owns_turn
-- Checks that the turn is the caller's.
select true as owned
from turn t
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.member_id = %(member)s and t.profile_id = %(profile)s
    and t.turn_id = %(turn)s and s.deleted_at is null;


-- name: save_feedback
-- Stores a thumb and a correction, replacing earlier feedback.
insert into feedback (
    tenant_id, turn_id, member_id, thumb, correction, for_evaluation, created_at
)
select
    %(tenant)s, t.turn_id, t.member_id, %(thumb)s, %(correction)s::bytea, %(for_evaluation)s,
    %(now)s
from turn t
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s and s.deleted_at is null
on conflict (tenant_id, turn_id) do update
set thumb = excluded.thumb, correction = excluded.correction,
    for_evaluation = excluded.for_evaluation, created_at = excluded.created_at
returning turn_id;


-- name: find_feedback
-- Feedback on the caller's turn.
select f.thumb, f.correction, f.for_evaluation
from feedback f join turn t on t.tenant_id = f.tenant_id and t.turn_id = f.turn_id
where f.tenant_id = %(tenant)s and f.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s;


-- name: unanswered
-- An assistant's turns with no answer or a badly rated one, newest first, without
-- temporary sessions.
select
    u.turn_id, u.member_id, u.outcome, u.occurred_at, t.message, f.thumb, f.correction,
    coalesce(f.for_evaluation, false) as shared
from usage_event u
join turn t on t.tenant_id = u.tenant_id and t.turn_id = u.turn_id
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
    and s.deleted_at is null
left join feedback f on f.tenant_id = u.tenant_id and f.turn_id = u.turn_id
where u.tenant_id = %(tenant)s and u.assistant_id = %(assistant)s
    and not exists (
        select 1 from consent c
        where c.tenant_id = %(tenant)s and c.subject_id = t.session_id and not c.allowed
    )
    and u.occurred_at >= %(since)s and not u.answered
    and (u.outcome = any(%(outcomes)s::text[]) or f.thumb = 'down')
order by u.occurred_at desc, u.turn_id
limit %(most)s;


-- name: feedback_for_evaluation
-- Feedback shared for evaluation on answered turns, oldest first, without temporary
-- sessions.
select f.turn_id, f.member_id, t.profile_id, f.thumb, f.correction, f.for_evaluation
from feedback f
join turn t on t.tenant_id = f.tenant_id and t.turn_id = f.turn_id
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
    and s.deleted_at is null
where f.tenant_id = %(tenant)s and not exists (
        select 1 from consent c
        where c.tenant_id = %(tenant)s and c.subject_id = t.session_id and not c.allowed
    )
    and f.for_evaluation and f.created_at >= %(since)s
    and t.state = 'done'
order by f.created_at, f.turn_id
limit %(most)s;

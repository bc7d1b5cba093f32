-- name: usage_by_day
-- Usage of assistants by day in the caller's time zone, oldest first; the cost is null if no
-- price is known.
select date_bin('1 day', u.occurred_at, %(midnight)s::timestamptz) as began,
    count(*)::integer as turns,
    count(*) filter (where (u.event ->> 'escalated')::boolean)::integer as escalated,
    count(*) filter (
        where not u.answered and (u.outcome = any(%(outcomes)s::text[]) or f.thumb = 'down')
    )::integer as unanswered,
    sum((u.event ->> 'input_tokens')::bigint)::bigint as input_tokens,
    sum((u.event ->> 'output_tokens')::bigint)::bigint as output_tokens,
    case when bool_or(u.event ->> 'cost_usd' is null)
        then nullif(sum((u.event ->> 'cost_usd')::numeric), 0)
        else sum((u.event ->> 'cost_usd')::numeric) end as cost_usd,
    percentile_cont(0.5) within group (order by (u.event ->> 'latency_ms')::float8) as p50_ms,
    percentile_cont(0.95) within group (order by (u.event ->> 'latency_ms')::float8) as p95_ms
from usage_event u
left join feedback f on f.tenant_id = u.tenant_id and f.turn_id = u.turn_id
where u.tenant_id = %(tenant)s and u.assistant_id = any(%(assistants)s::uuid[])
    and u.occurred_at >= %(since)s
group by 1
order by 1;


-- name: assistants_with_usage
-- All assistants of a tenant, also deleted ones.
select assistant_id from assistant where tenant_id = %(tenant)s;


-- name: usage_shares
-- Usage by any of day, assistant, user, role and model, most expensive first; the cost is null if
-- no price is known. Turns without a model count where no model is asked for.
select
    case when 'day' = any(%(by)s::text[])
        then (u.occurred_at at time zone %(time_zone)s)::date end as day,
    case when 'assistant' = any(%(by)s::text[]) then u.assistant_id end as assistant,
    case when 'member' = any(%(by)s::text[]) then u.member_id end as member,
    case when 'role' = any(%(by)s::text[]) then c.call ->> 'role' end as role,
    case when 'model' = any(%(by)s::text[]) then c.call ->> 'model' end as model,
    count(distinct u.turn_id)::integer as turns,
    count(c.call)::integer as calls,
    coalesce(sum((c.call ->> 'input_tokens')::bigint), 0)::bigint as input_tokens,
    coalesce(sum((c.call ->> 'output_tokens')::bigint), 0)::bigint as output_tokens,
    case when count(c.call) = 0 then 0 when count(c.call) > count(c.call ->> 'cost_usd')
        then nullif(sum((c.call ->> 'cost_usd')::numeric), 0)
        else sum((c.call ->> 'cost_usd')::numeric) end as cost_usd
from usage_event u
left join jsonb_array_elements(coalesce(u.event -> 'calls', '[]'::jsonb)) as c(call) on true
where u.tenant_id = %(tenant)s and u.assistant_id = any(%(assistants)s::uuid[])
    and u.occurred_at >= %(since)s and u.occurred_at <= %(until)s
    and (c.call is not null or not %(by)s::text[] && array['role', 'model'])
group by 1, 2, 3, 4, 5
order by cost_usd desc nulls last, input_tokens desc, day, assistant, member, role, model
limit %(most)s;


-- name: count_unanswered
-- Counts an assistant's turns with no answer or a badly rated one.
select count(*)::integer as turns
from usage_event u
left join feedback f on f.tenant_id = u.tenant_id and f.turn_id = u.turn_id
where u.tenant_id = %(tenant)s and u.assistant_id = %(assistant)s and u.occurred_at >= %(since)s
    and not u.answered and (u.outcome = any(%(outcomes)s::text[]) or f.thumb = 'down');


-- name: mark_answered
-- Marks questions as answered.
update usage_event set answered = true
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
    and turn_id = any(%(turns)s::uuid[]);


-- name: usage_answers
-- Drafts and answers of an assistant by model and by escalation.
select c.call ->> 'role' as role, c.call ->> 'model' as model,
    (u.event ->> 'escalated')::boolean as escalated,
    count(distinct u.turn_id)::integer as turns,
    sum((c.call ->> 'input_tokens')::bigint)::bigint as input_tokens,
    sum((c.call ->> 'output_tokens')::bigint)::bigint as output_tokens,
    coalesce(sum((c.call ->> 'cost_usd')::numeric), 0) as cost_usd
from usage_event u
cross join jsonb_array_elements(coalesce(u.event -> 'calls', '[]'::jsonb)) as c(call)
where u.tenant_id = %(tenant)s and u.assistant_id = %(assistant)s and u.occurred_at >= %(since)s
    and c.call ->> 'step' in ('draft', 'answer')
group by 1, 2, 3
order by 1, 2, 3;


-- name: drop_old_usage
-- Deletes expired usage events.
delete from usage_event where tenant_id = %(tenant)s and turn_id in (
    select turn_id from usage_event
    where tenant_id = %(tenant)s and occurred_at < %(before)s
    order by occurred_at limit %(most)s
);

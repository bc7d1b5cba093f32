-- name: usage_by_day
-- Usage of an assistant by day in the caller's time zone, oldest first.
select date_bin('1 day', occurred_at, %(midnight)s::timestamptz) as began,
    count(*)::integer as turns,
    count(*) filter (where (event ->> 'escalated')::boolean)::integer as escalated,
    count(*) filter (where outcome = any(%(outcomes)s::text[]))::integer as unanswered,
    sum((event ->> 'input_tokens')::bigint)::bigint as input_tokens,
    sum((event ->> 'output_tokens')::bigint)::bigint as output_tokens,
    sum((event ->> 'cost_usd')::numeric) as cost_usd,
    percentile_cont(0.5) within group (order by (event ->> 'latency_ms')::float8) as p50_ms,
    percentile_cont(0.95) within group (order by (event ->> 'latency_ms')::float8) as p95_ms
from usage_event
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and occurred_at >= %(since)s
group by 1
order by 1;


-- name: usage_shares
-- Usage of an assistant by user, model and role, most expensive first.
select u.member_id as member, c.call ->> 'role' as role, c.call ->> 'model' as model,
    count(distinct u.turn_id)::integer as turns,
    count(*)::integer as calls,
    sum((c.call ->> 'input_tokens')::bigint)::bigint as input_tokens,
    sum((c.call ->> 'output_tokens')::bigint)::bigint as output_tokens,
    sum((c.call ->> 'cost_usd')::numeric) as cost_usd
from usage_event u
cross join jsonb_array_elements(coalesce(u.event -> 'calls', '[]'::jsonb)) as c(call)
where u.tenant_id = %(tenant)s and u.assistant_id = %(assistant)s and u.occurred_at >= %(since)s
group by 1, 2, 3
order by cost_usd desc, input_tokens desc, member, role, model
limit %(most)s;


-- name: usage_answers
-- Drafts and answers of an assistant by model and by escalation.
select c.call ->> 'role' as role, c.call ->> 'model' as model,
    (u.event ->> 'escalated')::boolean as escalated,
    count(distinct u.turn_id)::integer as turns,
    sum((c.call ->> 'input_tokens')::bigint)::bigint as input_tokens,
    sum((c.call ->> 'output_tokens')::bigint)::bigint as output_tokens,
    sum((c.call ->> 'cost_usd')::numeric) as cost_usd
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

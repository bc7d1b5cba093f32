-- name: find_evaluation_questions
-- The questions of an assistant.
select questions from evaluation_set
where tenant_id = %(tenant)s and assistant_id = %(assistant)s;


-- name: save_evaluation_questions
-- Replaces the questions of an assistant.
insert into evaluation_set (tenant_id, assistant_id, questions, changed_at)
values (%(tenant)s, %(assistant)s, %(questions)s, %(now)s)
on conflict (tenant_id, assistant_id)
do update set questions = excluded.questions, changed_at = excluded.changed_at;


-- name: lock_evaluated_assistant
-- Locks an assistant until the end of the transaction, so that only one run of it starts.
select assistant_id from assistant
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
for update;


-- name: end_lost_evaluations
-- Ends runs whose job is gone or has failed for good.
update evaluation_run set state = 'failed', finished_at = %(now)s
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and state = 'running'
    and not exists (
        select from procrastinate_jobs
        where lock = concat_ws(':', %(kind)s::text, tenant_id, run_id)
            and status in ('todo', 'doing')
    );


-- name: add_evaluation_run
-- Adds a run of the published version.
insert into evaluation_run (
    tenant_id, run_id, assistant_id, version, inputs, state, total, created_at
)
select %(tenant)s, %(run)s, assistant_id, published, %(inputs)s, 'running', %(total)s, %(now)s
from assistant
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
returning *;


-- name: list_evaluation_runs
-- The newest runs of an assistant.
select * from evaluation_run
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
order by created_at desc, run_id desc
limit %(most)s;


-- name: find_evaluation_run
-- One run.
select * from evaluation_run where tenant_id = %(tenant)s and run_id = %(run)s;


-- name: evaluation_run_before
-- The last completed run of an assistant before a time.
select * from evaluation_run
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and state = 'done'
    and created_at < %(before)s
order by created_at desc
limit 1;


-- name: list_evaluation_results
-- The results of a run, in the order of the questions.
select number, content from evaluation_result
where tenant_id = %(tenant)s and run_id = %(run)s
order by number;


-- name: add_evaluation_result
-- Adds a result and counts it, once.
with added as (
    insert into evaluation_result (tenant_id, run_id, number, content)
    select %(tenant)s, run_id, %(number)s, %(content)s from evaluation_run
    where tenant_id = %(tenant)s and run_id = %(run)s
    on conflict do nothing
    returning 1
)
update evaluation_run
set done = done + 1, right_answers = right_answers + %(right)s
where tenant_id = %(tenant)s and run_id = %(run)s and exists (select from added);


-- name: finish_evaluation_run
-- Ends a run.
update evaluation_run set state = %(state)s, error = %(error)s, finished_at = %(now)s
where tenant_id = %(tenant)s and run_id = %(run)s and state = 'running';


-- name: drop_evaluation_run
-- Deletes a run with its results.
delete from evaluation_run
where tenant_id = %(tenant)s and run_id = %(run)s and assistant_id = %(assistant)s
returning run_id;

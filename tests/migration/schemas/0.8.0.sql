-- Schema of Saegim 0.8.0, revision 0001. Kept by scripts/release.py; never edited.
--
-- PostgreSQL database dump
--


-- Dumped from database version 18.6
-- Dumped by pg_dump version 18.6

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: saegim; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA saegim;


--
-- Name: vector; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;


--
-- Name: EXTENSION vector; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION vector IS 'vector data type and ivfflat and hnsw access methods';


--
-- Name: procrastinate_job_event_type; Type: TYPE; Schema: saegim; Owner: -
--

CREATE TYPE saegim.procrastinate_job_event_type AS ENUM (
    'deferred',
    'started',
    'deferred_for_retry',
    'failed',
    'succeeded',
    'cancelled',
    'abort_requested',
    'aborted',
    'scheduled',
    'retried'
);


--
-- Name: procrastinate_job_status; Type: TYPE; Schema: saegim; Owner: -
--

CREATE TYPE saegim.procrastinate_job_status AS ENUM (
    'todo',
    'doing',
    'succeeded',
    'failed',
    'cancelled',
    'aborting',
    'aborted'
);


--
-- Name: procrastinate_job_to_defer_v1; Type: TYPE; Schema: saegim; Owner: -
--

CREATE TYPE saegim.procrastinate_job_to_defer_v1 AS (
	queue_name character varying,
	task_name character varying,
	priority integer,
	lock text,
	queueing_lock text,
	args jsonb,
	scheduled_at timestamp with time zone
);


--
-- Name: begin_tenant_read(uuid); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.begin_tenant_read(wanted uuid) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    perform set_config('transaction_read_only', 'on', true),
        set_config('app.tenant', wanted::text, true);
    return (select cell from tenant_directory where tenant_id = wanted);
end $$;


--
-- Name: begin_tenant_write(uuid); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.begin_tenant_write(wanted uuid) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    perform set_config('app.tenant', wanted::text, true),
        pg_advisory_xact_lock_shared(hashtextextended(wanted::text, 7323445146));
    return (select cell from tenant_directory where tenant_id = wanted);
end $$;


--
-- Name: count_embedder_use(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.count_embedder_use() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op <> 'INSERT' then
        update embedder_use set indexes = indexes - 1 where embedder = old.embedder;
    end if;
    if tg_op <> 'DELETE' then
        insert into embedder_use (embedder, indexes) values (new.embedder, 1)
        on conflict (embedder) do update set indexes = embedder_use.indexes + 1;
    end if;
    return null;
end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: procrastinate_jobs; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.procrastinate_jobs (
    id bigint NOT NULL,
    queue_name character varying(128) NOT NULL,
    task_name character varying(128) NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    lock text,
    queueing_lock text,
    args jsonb DEFAULT '{}'::jsonb NOT NULL,
    status saegim.procrastinate_job_status DEFAULT 'todo'::saegim.procrastinate_job_status NOT NULL,
    scheduled_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    abort_requested boolean DEFAULT false NOT NULL,
    worker_id bigint,
    CONSTRAINT check_not_todo_abort_requested CHECK ((NOT ((status = 'todo'::saegim.procrastinate_job_status) AND (abort_requested = true))))
);


--
-- Name: job_fetch(bigint); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.job_fetch(for_worker bigint) RETURNS SETOF saegim.procrastinate_jobs
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
begin
    return query
    with taken as materialized (
        select array_agg(lock) as locks from procrastinate_jobs
        where status = 'doing' and lock is not null
    ), candidate as materialized (
        select job.id from procrastinate_jobs job
        where job.status = 'todo' and job.scheduled_at is null
            and job.priority >= -2000000000
            and (
                job.lock is null
                or (
                    job.lock <> all(coalesce((select locks from taken), '{}'))
                    and job.id = (
                        select first.id from procrastinate_jobs first
                        where first.lock = job.lock and first.status = 'todo'
                        order by -first.priority, first.id limit 1
                    )
                )
            )
        order by job.priority desc, job.id
        limit 1
        for update of job skip locked
    )
    update procrastinate_jobs job set status = 'doing', worker_id = for_worker
    where job.id = (select id from candidate)
    returning job.*;
end $$;


--
-- Name: job_fetch_watch(bigint); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.job_fetch_watch(for_worker bigint) RETURNS SETOF saegim.procrastinate_jobs
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
begin
    return query
    with candidate as materialized (
        select job.id from procrastinate_jobs job
        where job.status = 'todo' and job.scheduled_at is null
            and job.task_name = 'watch_turn' and job.priority >= -2000000000
        order by -job.priority, job.id
        limit 1
        for update of job skip locked
    )
    update procrastinate_jobs job set status = 'doing', worker_id = for_worker
    where job.id = (select id from candidate)
    returning job.*;
end $$;


--
-- Name: keep_audit_event(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.keep_audit_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'DELETE' then
        raise exception 'the audit trail is append-only' using errcode = '42501';
    end if;
    if (new.tenant_id, new.event_id, new.member_id, new.profile_id, new.subject_id, new.action,
        new.actor, new.at, new.actor_id, new.key_id, new.origin)
        is distinct from
        (old.tenant_id, old.event_id, old.member_id, old.profile_id, old.subject_id, old.action,
        old.actor, old.at, old.actor_id, old.key_id, old.origin)
        or (old.sealed_in is not null and new.sealed_in is distinct from old.sealed_in)
        or (old.sealed_in is not null and new.reason_digest is distinct from old.reason_digest)
    then
        raise exception 'the audit trail is append-only' using errcode = '42501';
    end if;
    return new;
end $$;


--
-- Name: next_job_priority(text, integer); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.next_job_priority(of_tenant text, ahead integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
begin
    return -least(2000000000, ahead + greatest(
        coalesce((
            select -priority from procrastinate_jobs
            where status = 'doing' order by priority limit 1
        ), 0),
        coalesce((
            select -priority - 1 from procrastinate_jobs
            where status = 'todo' and priority >= -2000000000
            order by priority desc, id limit 1
        ), 0),
        coalesce((
            select -priority from procrastinate_jobs
            where args ->> 'tenant' = of_tenant and status = 'todo' and scheduled_at is null
            order by -priority desc limit 1
        ), 0)
    ));
end $$;


--
-- Name: note_change(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.note_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    new.changed := pg_current_xact_id();
    return new;
end $$;


--
-- Name: procrastinate_cancel_job_v1(bigint, boolean, boolean); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status = 'todo'
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        IF abort THEN
            UPDATE procrastinate_jobs
            SET abort_requested = true,
                status = CASE status
                    WHEN 'todo' THEN 'cancelled'::procrastinate_job_status ELSE status
                END
            WHERE id = job_id AND status IN ('todo', 'doing')
            RETURNING id INTO _job_id;
        ELSE
            UPDATE procrastinate_jobs
            SET status = 'cancelled'::procrastinate_job_status
            WHERE id = job_id AND status = 'todo'
            RETURNING id INTO _job_id;
        END IF;
    END IF;
    RETURN _job_id;
END;
$$;


--
-- Name: procrastinate_defer_jobs_v1(saegim.procrastinate_job_to_defer_v1[]); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_defer_jobs_v1(jobs saegim.procrastinate_job_to_defer_v1[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    job_ids bigint[];
BEGIN
    WITH inserted_jobs AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
        SELECT (job).queue_name,
               (job).task_name,
               (job).priority,
               (job).lock,
               (job).queueing_lock,
               (job).args,
               (job).scheduled_at
        FROM unnest(jobs) AS job
        RETURNING id
    )
    SELECT array_agg(id) FROM inserted_jobs INTO job_ids;

    RETURN job_ids;
END;
$$;


--
-- Name: procrastinate_defer_periodic_job_v2(character varying, character varying, character varying, character varying, integer, character varying, bigint, jsonb); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_defer_periodic_job_v2(_queue_name character varying, _lock character varying, _queueing_lock character varying, _task_name character varying, _priority integer, _periodic_id character varying, _defer_timestamp bigint, _args jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
	_job_id bigint;
	_defer_id bigint;
BEGIN
    INSERT
        INTO procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
        VALUES (_task_name, _periodic_id, _defer_timestamp)
        ON CONFLICT DO NOTHING
        RETURNING id into _defer_id;

    IF _defer_id IS NULL THEN
        RETURN NULL;
    END IF;

    UPDATE procrastinate_periodic_defers
        SET job_id = (
            SELECT COALESCE((
                SELECT unnest(procrastinate_defer_jobs_v1(
                    ARRAY[
                        ROW(
                            _queue_name,
                            _task_name,
                            _priority,
                            _lock,
                            _queueing_lock,
                            _args,
                            NULL::timestamptz
                        )
                    ]::procrastinate_job_to_defer_v1[]
                ))
            ), NULL)
        )
        WHERE id = _defer_id
        RETURNING job_id INTO _job_id;

    DELETE
        FROM procrastinate_periodic_defers
        USING (
            SELECT id
            FROM procrastinate_periodic_defers
            WHERE procrastinate_periodic_defers.task_name = _task_name
            AND procrastinate_periodic_defers.periodic_id = _periodic_id
            AND procrastinate_periodic_defers.defer_timestamp < _defer_timestamp
            ORDER BY id
            FOR UPDATE
        ) to_delete
        WHERE procrastinate_periodic_defers.id = to_delete.id;

    RETURN _job_id;
END;
$$;


--
-- Name: procrastinate_fetch_job_v2(character varying[], bigint); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint) RETURNS saegim.procrastinate_jobs
    LANGUAGE plpgsql
    AS $$
DECLARE
	found_jobs procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT jobs.*
            FROM procrastinate_jobs AS jobs
            WHERE
                -- reject the job if its lock has earlier or higher priority jobs
                NOT EXISTS (
                    SELECT 1
                        FROM procrastinate_jobs AS other_jobs
                        WHERE
                            jobs.lock IS NOT NULL
                            AND other_jobs.lock = jobs.lock
                            AND (
                                -- job with same lock is already running
                                other_jobs.status = 'doing'
                                OR
                                -- job with same lock is waiting and has higher priority (or same priority but was queued first)
                                (
                                    other_jobs.status = 'todo'
                                    AND (
                                        other_jobs.priority > jobs.priority
                                        OR (
                                        other_jobs.priority = jobs.priority
                                        AND other_jobs.id < jobs.id
                                        )
                                    )
                                )
                            )
                )
                AND jobs.status = 'todo'
                AND (target_queue_names IS NULL OR jobs.queue_name = ANY( target_queue_names ))
                AND (jobs.scheduled_at IS NULL OR jobs.scheduled_at <= now())
            ORDER BY jobs.priority DESC, jobs.id ASC LIMIT 1
            FOR UPDATE OF jobs SKIP LOCKED
    )
    UPDATE procrastinate_jobs
        SET status = 'doing', worker_id = p_worker_id
        FROM candidate
        WHERE procrastinate_jobs.id = candidate.id
        RETURNING procrastinate_jobs.* INTO found_jobs;

 RETURN found_jobs;
END;
$$;


--
-- Name: procrastinate_finish_job_v1(bigint, saegim.procrastinate_job_status, boolean); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_finish_job_v1(job_id bigint, end_status saegim.procrastinate_job_status, delete_job boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF end_status NOT IN ('succeeded', 'failed', 'aborted') THEN
        RAISE 'End status should be either "succeeded", "failed" or "aborted" (job id: %)', job_id;
    END IF;
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = end_status,
            abort_requested = false,
            attempts = CASE status
                WHEN 'doing' THEN attempts + 1 ELSE attempts
            END
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" or "todo" status (job id: %)', job_id;
    END IF;
END;
$$;


--
-- Name: procrastinate_notify_queue_abort_job_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_notify_queue_abort_job_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'abort_job_requested', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_notify_queue_job_inserted_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_notify_queue_job_inserted_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_prune_stalled_workers_v1(double precision); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat double precision) RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    DELETE FROM procrastinate_workers
    WHERE last_heartbeat < NOW() - (seconds_since_heartbeat || 'SECOND')::INTERVAL
    RETURNING procrastinate_workers.id;
END;
$$;


--
-- Name: procrastinate_register_worker_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_register_worker_v1() RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    INSERT INTO procrastinate_workers DEFAULT VALUES
    RETURNING procrastinate_workers.id;
END;
$$;


--
-- Name: procrastinate_retry_job_v1(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_retry_job_v1(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
BEGIN
    SELECT abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status = 'doing'
    FOR UPDATE
    INTO _abort_requested;
    IF _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" status (job id: %)', job_id;
    END IF;
END;
$$;


--
-- Name: procrastinate_retry_job_v2(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_retry_job_v2(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
    _current_status procrastinate_job_status;
BEGIN
    SELECT status, abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status IN ('doing', 'failed')
    FOR UPDATE
    INTO _current_status, _abort_requested;
    IF _current_status = 'doing' AND _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status IN ('doing', 'failed')
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or has an invalid status to retry (job id: %)', job_id;
    END IF;

END;
$$;


--
-- Name: procrastinate_trigger_abort_requested_events_procedure_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_trigger_abort_requested_events_procedure_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'abort_requested'::procrastinate_job_event_type);
    RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_scheduled_events_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_trigger_function_scheduled_events_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type, at)
        VALUES (NEW.id, 'scheduled'::procrastinate_job_event_type, NEW.scheduled_at);

	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_status_events_insert_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_trigger_function_status_events_insert_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'deferred'::procrastinate_job_event_type);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_status_events_update_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_trigger_function_status_events_update_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH t AS (
        SELECT CASE
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND NEW.status = 'doing'::procrastinate_job_status
                THEN 'started'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'deferred_for_retry'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'failed'::procrastinate_job_status
                THEN 'failed'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'succeeded'::procrastinate_job_status
                THEN 'succeeded'::procrastinate_job_event_type
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND (
                    NEW.status = 'cancelled'::procrastinate_job_status
                    OR NEW.status = 'failed'::procrastinate_job_status
                    OR NEW.status = 'succeeded'::procrastinate_job_status
                )
                THEN 'cancelled'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'aborted'::procrastinate_job_status
                THEN 'aborted'::procrastinate_job_event_type
            WHEN OLD.status = 'failed'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'retried'::procrastinate_job_event_type
            ELSE NULL
        END as event_type
    )
    INSERT INTO procrastinate_events(job_id, type)
        SELECT NEW.id, t.event_type
        FROM t
        WHERE t.event_type IS NOT NULL;
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_unlink_periodic_defers_v1(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_unlink_periodic_defers_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_periodic_defers
    SET job_id = NULL
    WHERE job_id = OLD.id;
    RETURN OLD;
END;
$$;


--
-- Name: procrastinate_unregister_worker_v1(bigint); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_unregister_worker_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM procrastinate_workers
    WHERE id = worker_id;
END;
$$;


--
-- Name: procrastinate_update_heartbeat_v1(bigint); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.procrastinate_update_heartbeat_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_workers
    SET last_heartbeat = NOW()
    WHERE id = worker_id;
END;
$$;


--
-- Name: wake_workers(); Type: FUNCTION; Schema: saegim; Owner: -
--

CREATE FUNCTION saegim.wake_workers() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_notify(
        'procrastinate_any_queue_v1',
        '{"type": "job_inserted", "job_id": 0}'
    );
    return null;
end $$;


--
-- Name: app_key; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.app_key (
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    act_as boolean NOT NULL,
    member_id uuid,
    assistant_id uuid NOT NULL,
    groups text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    scopes text[],
    replaces uuid,
    used_at timestamp with time zone,
    made_by uuid,
    CONSTRAINT app_key_check CHECK ((act_as = (member_id IS NULL)))
);

ALTER TABLE ONLY saegim.app_key FORCE ROW LEVEL SECURITY;


--
-- Name: assistant; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.assistant (
    tenant_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    name text NOT NULL,
    persona text NOT NULL,
    policy text NOT NULL,
    locale text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    config jsonb DEFAULT '{}'::jsonb NOT NULL,
    published integer
);

ALTER TABLE ONLY saegim.assistant FORCE ROW LEVEL SECURITY;


--
-- Name: assistant_collection; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.assistant_collection (
    tenant_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    collection_id uuid NOT NULL
);

ALTER TABLE ONLY saegim.assistant_collection FORCE ROW LEVEL SECURITY;


--
-- Name: assistant_version; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.assistant_version (
    tenant_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    content jsonb NOT NULL,
    made_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    published_at timestamp with time zone,
    CONSTRAINT assistant_version_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'published'::text, 'retired'::text])))
);

ALTER TABLE ONLY saegim.assistant_version FORCE ROW LEVEL SECURITY;


--
-- Name: audit_event; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.audit_event (
    tenant_id uuid NOT NULL,
    event_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    action text NOT NULL,
    actor text NOT NULL,
    reason bytea,
    at timestamp with time zone NOT NULL,
    actor_id uuid,
    key_id uuid,
    origin text,
    sealed_in integer,
    reason_digest bytea
);

ALTER TABLE ONLY saegim.audit_event FORCE ROW LEVEL SECURITY;


--
-- Name: audit_seal; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.audit_seal (
    tenant_id uuid NOT NULL,
    number integer NOT NULL,
    events integer NOT NULL,
    digest bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.audit_seal FORCE ROW LEVEL SECURITY;


--
-- Name: collection; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.collection (
    tenant_id uuid NOT NULL,
    collection_id uuid NOT NULL,
    name text NOT NULL,
    audience text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    owner_id uuid
);

ALTER TABLE ONLY saegim.collection FORCE ROW LEVEL SECURITY;


--
-- Name: consent; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.consent (
    tenant_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    subject text NOT NULL,
    allowed boolean NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT consent_subject_check CHECK ((subject = ANY (ARRAY['tenant'::text, 'user'::text, 'session'::text])))
);

ALTER TABLE ONLY saegim.consent FORCE ROW LEVEL SECURITY;


--
-- Name: digest; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.digest (
    tenant_id uuid NOT NULL,
    digest_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    natural_hash bytea NOT NULL,
    body bytea NOT NULL,
    sources uuid[] NOT NULL,
    first_said_at timestamp with time zone NOT NULL,
    last_said_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.digest FORCE ROW LEVEL SECURITY;


--
-- Name: document; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.document (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    collection_id uuid NOT NULL,
    outside_id text NOT NULL,
    lookup_key text NOT NULL,
    type text NOT NULL,
    title text,
    version text NOT NULL,
    metadata jsonb NOT NULL,
    source_id uuid,
    content_hash bytea,
    passages integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    source_key text,
    source_file uuid,
    bytes bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY saegim.document FORCE ROW LEVEL SECURITY;


--
-- Name: embedder_use; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.embedder_use (
    embedder text NOT NULL,
    indexes bigint NOT NULL
);


--
-- Name: episode; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode (
    tenant_id uuid NOT NULL,
    episode_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    session_id uuid NOT NULL,
    first_turn integer NOT NULL,
    last_turn integer NOT NULL,
    content bytea NOT NULL,
    said_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.episode FORCE ROW LEVEL SECURITY;


--
-- Name: episode_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_00 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_00 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_01 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_01 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_02 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_02 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_03 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_03 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_04 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_04 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_05 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_05 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_06 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_06 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_07 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_07 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_08 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_08 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_09 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_09 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_10 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_10 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_11 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_11 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_12 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_12 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_13 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_13 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_14 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_14 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_15 (
    tenant_id uuid CONSTRAINT episode_tenant_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_episode_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_profile_id_not_null NOT NULL,
    session_id uuid CONSTRAINT episode_session_id_not_null NOT NULL,
    first_turn integer CONSTRAINT episode_first_turn_not_null NOT NULL,
    last_turn integer CONSTRAINT episode_last_turn_not_null NOT NULL,
    content bytea CONSTRAINT episode_content_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT episode_said_at_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT episode_created_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.episode_15 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector (
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    episode_id uuid NOT NULL,
    index_version smallint NOT NULL,
    embedding public.halfvec NOT NULL,
    terms public.sparsevec NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 NOT NULL,
    marks integer DEFAULT 0 NOT NULL,
    speaker integer DEFAULT 0 NOT NULL,
    changed xid8 DEFAULT '1'::xid8 NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.episode_vector FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_00 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_00 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_00 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_00 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_00 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_01 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_01 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_01 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_01 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_01 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_02 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_02 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_02 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_02 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_02 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_03 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_03 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_03 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_03 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_03 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_04 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_04 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_04 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_04 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_04 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_05 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_05 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_05 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_05 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_05 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_06 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_06 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_06 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_06 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_06 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_07 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_07 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_07 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_07 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_07 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_08 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_08 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_08 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_08 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_08 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_09 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_09 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_09 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_09 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_09 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_10 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_10 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_10 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_10 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_10 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_11 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_11 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_11 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_11 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_11 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_12 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_12 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_12 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_12 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_12 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_13 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_13 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_13 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_13 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_13 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_14 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_14 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_14 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_14 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_14 FORCE ROW LEVEL SECURITY;


--
-- Name: episode_vector_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.episode_vector_15 (
    tenant_id uuid CONSTRAINT episode_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT episode_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT episode_vector_profile_id_not_null NOT NULL,
    episode_id uuid CONSTRAINT episode_vector_episode_id_not_null NOT NULL,
    index_version smallint CONSTRAINT episode_vector_index_version_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT episode_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT episode_vector_terms_not_null NOT NULL,
    session_id uuid,
    last_turn integer,
    said_at timestamp with time zone,
    own public.sparsevec,
    own_length integer DEFAULT 0 CONSTRAINT episode_vector_own_length_not_null NOT NULL,
    marks integer DEFAULT 0 CONSTRAINT episode_vector_marks_not_null NOT NULL,
    speaker integer DEFAULT 0 CONSTRAINT episode_vector_speaker_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT episode_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.episode_vector_15 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_15 ALTER COLUMN terms SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.episode_vector_15 ALTER COLUMN own SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.episode_vector_15 FORCE ROW LEVEL SECURITY;


--
-- Name: erasure; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.erasure (
    tenant_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    member_id uuid NOT NULL,
    requested_by uuid NOT NULL,
    reason bytea,
    state text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    key_destroyed_at timestamp with time zone,
    done_at timestamp with time zone,
    receipt jsonb,
    signature bytea,
    runs_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT erasure_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'started'::text, 'key_destroyed'::text, 'done'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY saegim.erasure FORCE ROW LEVEL SECURITY;


--
-- Name: extraction; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.extraction (
    tenant_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    origin text,
    error text,
    output bytea,
    attempts integer NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT extraction_check CHECK (((origin IS NULL) <> (error IS NULL)))
);

ALTER TABLE ONLY saegim.extraction FORCE ROW LEVEL SECURITY;


--
-- Name: feedback; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.feedback (
    tenant_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    thumb text NOT NULL,
    correction bytea,
    created_at timestamp with time zone NOT NULL,
    for_evaluation boolean DEFAULT false NOT NULL,
    CONSTRAINT feedback_thumb_check CHECK ((thumb = ANY (ARRAY['up'::text, 'down'::text])))
);

ALTER TABLE ONLY saegim.feedback FORCE ROW LEVEL SECURITY;


--
-- Name: file_part; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.file_part (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL
);

ALTER TABLE ONLY saegim.file_part FORCE ROW LEVEL SECURITY;


--
-- Name: guild; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.guild (
    tenant_id uuid NOT NULL,
    guild_id text NOT NULL,
    locale text,
    persona text DEFAULT ''::text NOT NULL,
    rules text DEFAULT ''::text NOT NULL,
    log_channel text,
    store_messages boolean DEFAULT false NOT NULL,
    user_per_minute integer NOT NULL,
    guild_per_minute integer NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT guild_locale_check CHECK ((locale = ANY (ARRAY['ko'::text, 'en'::text])))
);

ALTER TABLE ONLY saegim.guild FORCE ROW LEVEL SECURITY;


--
-- Name: guild_activity; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.guild_activity (
    tenant_id uuid NOT NULL,
    guild_id text NOT NULL,
    day date NOT NULL,
    name_hash bytea NOT NULL,
    name bytea NOT NULL,
    messages integer NOT NULL
);

ALTER TABLE ONLY saegim.guild_activity FORCE ROW LEVEL SECURITY;


--
-- Name: guild_channel; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.guild_channel (
    tenant_id uuid NOT NULL,
    guild_id text NOT NULL,
    channel_id text NOT NULL,
    persona text NOT NULL,
    rules text NOT NULL
);

ALTER TABLE ONLY saegim.guild_channel FORCE ROW LEVEL SECURITY;


--
-- Name: guild_notice; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.guild_notice (
    tenant_id uuid NOT NULL,
    notice_id uuid NOT NULL,
    guild_id text NOT NULL,
    channel_id text NOT NULL,
    place text NOT NULL,
    at text NOT NULL,
    time_zone text NOT NULL,
    last_sent_on date
);

ALTER TABLE ONLY saegim.guild_notice FORCE ROW LEVEL SECURITY;


--
-- Name: identity; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.identity (
    tenant_id uuid NOT NULL,
    identity_id uuid NOT NULL,
    member_id uuid NOT NULL,
    channel text NOT NULL,
    outside_id_hash bytea NOT NULL,
    outside_id bytea NOT NULL,
    linked_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.identity FORCE ROW LEVEL SECURITY;


--
-- Name: index_build; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_build (
    tenant_id uuid NOT NULL,
    index_version smallint NOT NULL,
    embedder text NOT NULL,
    dimensions integer NOT NULL,
    after uuid NOT NULL,
    passages integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.index_build FORCE ROW LEVEL SECURITY;


--
-- Name: index_change; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change (
    tenant_id uuid NOT NULL,
    change_id bigint NOT NULL,
    passage_id uuid NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.index_change FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_00 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_00 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_01 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_01 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_02 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_02 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_03 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_03 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_04 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_04 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_05 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_05 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_06 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_06 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_07 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_07 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_08 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_08 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_09 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_09 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_10 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_10 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_11 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_11 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_12 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_12 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_13 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_13 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_14 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_14 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_change_15 (
    tenant_id uuid CONSTRAINT index_change_tenant_id_not_null NOT NULL,
    change_id bigint CONSTRAINT index_change_change_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT index_change_passage_id_not_null NOT NULL
);

ALTER TABLE ONLY saegim.index_change_15 FORCE ROW LEVEL SECURITY;


--
-- Name: index_change_change_id_seq; Type: SEQUENCE; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change ALTER COLUMN change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME saegim.index_change_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: index_state; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.index_state (
    tenant_id uuid NOT NULL,
    subject text NOT NULL,
    index_version smallint NOT NULL,
    embedder text NOT NULL,
    dimensions integer NOT NULL,
    activated_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.index_state FORCE ROW LEVEL SECURITY;


--
-- Name: ingest; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.ingest (
    tenant_id uuid NOT NULL,
    ingest_id uuid NOT NULL,
    collection_id uuid NOT NULL,
    type text NOT NULL,
    source_id uuid,
    cancel_requested boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.ingest FORCE ROW LEVEL SECURITY;


--
-- Name: ingest_file; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.ingest_file (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    ingest_id uuid NOT NULL,
    name text NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    state text NOT NULL,
    documents integer DEFAULT 0 NOT NULL,
    passages integer DEFAULT 0 NOT NULL,
    stored integer DEFAULT 0 NOT NULL,
    embedded integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    error text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    media_type text,
    CONSTRAINT ingest_file_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'waiting'::text, 'reading'::text, 'storing'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY saegim.ingest_file FORCE ROW LEVEL SECURITY;


--
-- Name: issuer; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.issuer (
    tenant_id uuid NOT NULL,
    issuer_id uuid NOT NULL,
    url text NOT NULL,
    audience text NOT NULL,
    jwks_url text,
    jwks jsonb,
    assistant_id uuid NOT NULL,
    user_claim text NOT NULL,
    groups_claim text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT issuer_check CHECK (((jwks_url IS NULL) <> (jwks IS NULL)))
);

ALTER TABLE ONLY saegim.issuer FORCE ROW LEVEL SECURITY;


--
-- Name: job_failure; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.job_failure (
    job_id bigint NOT NULL,
    failures integer NOT NULL,
    error text NOT NULL,
    at timestamp with time zone NOT NULL
);


--
-- Name: link_code; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.link_code (
    tenant_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    member_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.link_code FORCE ROW LEVEL SECURITY;


--
-- Name: member; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.member (
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    outside_id_hash bytea NOT NULL,
    outside_id bytea NOT NULL,
    locale text NOT NULL,
    time_zone text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    role text DEFAULT 'member'::text NOT NULL,
    groups text[] DEFAULT '{}'::text[] NOT NULL,
    disabled_at timestamp with time zone
);

ALTER TABLE ONLY saegim.member FORCE ROW LEVEL SECURITY;


--
-- Name: memory; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory (
    tenant_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    natural_hash bytea NOT NULL,
    type text NOT NULL,
    body bytea NOT NULL,
    importance real NOT NULL,
    said_at timestamp with time zone NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] NOT NULL,
    version integer NOT NULL,
    origin text NOT NULL,
    pii text[] NOT NULL,
    core boolean NOT NULL,
    pinned boolean NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.memory FORCE ROW LEVEL SECURITY;


--
-- Name: memory_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_00 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_00 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_01 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_01 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_02 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_02 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_03 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_03 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_04 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_04 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_05 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_05 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_06 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_06 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_07 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_07 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_08 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_08 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_09 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_09 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_10 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_10 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_11 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_11 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_12 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_12 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_13 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_13 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_14 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_14 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_15 (
    tenant_id uuid CONSTRAINT memory_tenant_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_memory_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_profile_id_not_null NOT NULL,
    natural_hash bytea CONSTRAINT memory_natural_hash_not_null NOT NULL,
    type text CONSTRAINT memory_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_body_not_null NOT NULL,
    importance real CONSTRAINT memory_importance_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_said_at_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    sources uuid[] CONSTRAINT memory_sources_not_null NOT NULL,
    version integer CONSTRAINT memory_version_not_null NOT NULL,
    origin text CONSTRAINT memory_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_pii_not_null NOT NULL,
    core boolean CONSTRAINT memory_core_not_null NOT NULL,
    pinned boolean CONSTRAINT memory_pinned_not_null NOT NULL,
    retention text,
    superseded_by uuid,
    ended_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    created_at timestamp with time zone CONSTRAINT memory_created_at_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_changed_at_not_null NOT NULL,
    redactions uuid[],
    CONSTRAINT memory_origin_check CHECK ((origin = ANY (ARRAY['model'::text, 'fallback'::text, 'person'::text]))),
    CONSTRAINT memory_type_check CHECK ((type = ANY (ARRAY['fact'::text, 'preference'::text, 'constraint'::text, 'decision'::text, 'todo'::text, 'timeline'::text, 'profile'::text, 'note'::text])))
);

ALTER TABLE ONLY saegim.memory_15 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_import; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_import (
    tenant_id uuid NOT NULL,
    import_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    digest bytea NOT NULL,
    body bytea,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.memory_import FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector (
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    index_version smallint NOT NULL,
    said_at timestamp with time zone NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false NOT NULL,
    type text NOT NULL,
    importance real NOT NULL,
    embedding public.halfvec NOT NULL,
    terms public.sparsevec NOT NULL,
    changed xid8 DEFAULT '1'::xid8 NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.memory_vector FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_00 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_00 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_00 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_00 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_01 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_01 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_01 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_01 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_02 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_02 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_02 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_02 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_03 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_03 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_03 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_03 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_04 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_04 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_04 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_04 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_05 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_05 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_05 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_05 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_06 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_06 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_06 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_06 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_07 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_07 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_07 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_07 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_08 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_08 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_08 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_08 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_09 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_09 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_09 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_09 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_10 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_10 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_10 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_10 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_11 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_11 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_11 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_11 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_12 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_12 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_12 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_12 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_13 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_13 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_13 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_13 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_14 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_14 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_14 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_14 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_vector_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_vector_15 (
    tenant_id uuid CONSTRAINT memory_vector_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_vector_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_vector_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_vector_memory_id_not_null NOT NULL,
    index_version smallint CONSTRAINT memory_vector_index_version_not_null NOT NULL,
    said_at timestamp with time zone CONSTRAINT memory_vector_said_at_not_null NOT NULL,
    valid_from timestamp with time zone CONSTRAINT memory_vector_valid_from_not_null NOT NULL,
    ended_at timestamp with time zone,
    forgotten boolean DEFAULT false CONSTRAINT memory_vector_forgotten_not_null NOT NULL,
    type text CONSTRAINT memory_vector_type_not_null NOT NULL,
    importance real CONSTRAINT memory_vector_importance_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT memory_vector_embedding_not_null NOT NULL,
    terms public.sparsevec CONSTRAINT memory_vector_terms_not_null NOT NULL,
    changed xid8 DEFAULT '1'::xid8 CONSTRAINT memory_vector_changed_not_null NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY saegim.memory_vector_15 ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE ONLY saegim.memory_vector_15 ALTER COLUMN terms SET STORAGE PLAIN;

ALTER TABLE ONLY saegim.memory_vector_15 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version (
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    body bytea NOT NULL,
    importance real NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text NOT NULL,
    pii text[] NOT NULL,
    changed_at timestamp with time zone NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.memory_version FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_00 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_00 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_01 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_01 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_02 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_02 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_03 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_03 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_04 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_04 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_05 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_05 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_06 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_06 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_07 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_07 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_08 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_08 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_09 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_09 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_10 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_10 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_11 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_11 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_12 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_12 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_13 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_13 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_14 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_14 FORCE ROW LEVEL SECURITY;


--
-- Name: memory_version_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.memory_version_15 (
    tenant_id uuid CONSTRAINT memory_version_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT memory_version_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT memory_version_profile_id_not_null NOT NULL,
    memory_id uuid CONSTRAINT memory_version_memory_id_not_null NOT NULL,
    version integer CONSTRAINT memory_version_version_not_null NOT NULL,
    type text CONSTRAINT memory_version_type_not_null NOT NULL,
    body bytea CONSTRAINT memory_version_body_not_null NOT NULL,
    importance real CONSTRAINT memory_version_importance_not_null NOT NULL,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    origin text CONSTRAINT memory_version_origin_not_null NOT NULL,
    pii text[] CONSTRAINT memory_version_pii_not_null NOT NULL,
    changed_at timestamp with time zone CONSTRAINT memory_version_changed_at_not_null NOT NULL
);

ALTER TABLE ONLY saegim.memory_version_15 FORCE ROW LEVEL SECURITY;


--
-- Name: passage; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage (
    tenant_id uuid NOT NULL,
    passage_id uuid NOT NULL,
    document_id uuid NOT NULL,
    section_id uuid NOT NULL,
    ordinal integer NOT NULL,
    text text NOT NULL,
    content_hash bytea NOT NULL,
    tokens integer NOT NULL,
    has_steps boolean NOT NULL,
    has_conditions boolean NOT NULL,
    has_table boolean NOT NULL,
    language text NOT NULL,
    names text[] NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.passage FORCE ROW LEVEL SECURITY;


--
-- Name: passage_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_00 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_00 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_01 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_01 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_02 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_02 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_03 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_03 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_04 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_04 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_05 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_05 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_06 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_06 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_07 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_07 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_08 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_08 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_09 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_09 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_10 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_10 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_11 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_11 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_12 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_12 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_13 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_13 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_14 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_14 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_15 (
    tenant_id uuid CONSTRAINT passage_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_passage_id_not_null NOT NULL,
    document_id uuid CONSTRAINT passage_document_id_not_null NOT NULL,
    section_id uuid CONSTRAINT passage_section_id_not_null NOT NULL,
    ordinal integer CONSTRAINT passage_ordinal_not_null NOT NULL,
    text text CONSTRAINT passage_text_not_null NOT NULL,
    content_hash bytea CONSTRAINT passage_content_hash_not_null NOT NULL,
    tokens integer CONSTRAINT passage_tokens_not_null NOT NULL,
    has_steps boolean CONSTRAINT passage_has_steps_not_null NOT NULL,
    has_conditions boolean CONSTRAINT passage_has_conditions_not_null NOT NULL,
    has_table boolean CONSTRAINT passage_has_table_not_null NOT NULL,
    language text CONSTRAINT passage_language_not_null NOT NULL,
    names text[] CONSTRAINT passage_names_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_15 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector (
    tenant_id uuid NOT NULL,
    passage_id uuid NOT NULL,
    embedder text NOT NULL,
    embedding public.halfvec NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.passage_vector FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_00 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_00 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_01 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_01 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_02 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_02 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_03 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_03 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_04 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_04 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_05 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_05 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_06 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_06 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_07 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_07 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_08 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_08 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_09 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_09 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_10 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_10 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_11 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_11 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_12 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_12 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_13 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_13 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_14 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_14 FORCE ROW LEVEL SECURITY;


--
-- Name: passage_vector_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.passage_vector_15 (
    tenant_id uuid CONSTRAINT passage_vector_tenant_id_not_null NOT NULL,
    passage_id uuid CONSTRAINT passage_vector_passage_id_not_null NOT NULL,
    embedder text CONSTRAINT passage_vector_embedder_not_null NOT NULL,
    embedding public.halfvec CONSTRAINT passage_vector_embedding_not_null NOT NULL
);

ALTER TABLE ONLY saegim.passage_vector_15 FORCE ROW LEVEL SECURITY;


--
-- Name: procrastinate_events; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.procrastinate_events (
    id bigint NOT NULL,
    job_id bigint NOT NULL,
    type saegim.procrastinate_job_event_type,
    at timestamp with time zone DEFAULT now()
);


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE; Schema: saegim; Owner: -
--

CREATE SEQUENCE saegim.procrastinate_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE OWNED BY; Schema: saegim; Owner: -
--

ALTER SEQUENCE saegim.procrastinate_events_id_seq OWNED BY saegim.procrastinate_events.id;


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE; Schema: saegim; Owner: -
--

CREATE SEQUENCE saegim.procrastinate_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE OWNED BY; Schema: saegim; Owner: -
--

ALTER SEQUENCE saegim.procrastinate_jobs_id_seq OWNED BY saegim.procrastinate_jobs.id;


--
-- Name: procrastinate_periodic_defers; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.procrastinate_periodic_defers (
    id bigint NOT NULL,
    task_name character varying(128) NOT NULL,
    defer_timestamp bigint,
    job_id bigint,
    periodic_id character varying(128) DEFAULT ''::character varying NOT NULL
);


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE; Schema: saegim; Owner: -
--

CREATE SEQUENCE saegim.procrastinate_periodic_defers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE OWNED BY; Schema: saegim; Owner: -
--

ALTER SEQUENCE saegim.procrastinate_periodic_defers_id_seq OWNED BY saegim.procrastinate_periodic_defers.id;


--
-- Name: procrastinate_workers; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.procrastinate_workers (
    id bigint NOT NULL,
    last_heartbeat timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: procrastinate_workers_id_seq; Type: SEQUENCE; Schema: saegim; Owner: -
--

ALTER TABLE saegim.procrastinate_workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME saegim.procrastinate_workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: profile; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.profile (
    tenant_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    member_id uuid NOT NULL,
    name_hash bytea NOT NULL,
    name bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.profile FORCE ROW LEVEL SECURITY;


--
-- Name: ranking; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.ranking (
    tenant_id uuid NOT NULL,
    weights jsonb,
    faq integer,
    other integer,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT ranking_check CHECK (((faq >= 0) AND (other >= 0)))
);

ALTER TABLE ONLY saegim.ranking FORCE ROW LEVEL SECURITY;


--
-- Name: reembed; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.reembed (
    tenant_id uuid NOT NULL,
    embedder text NOT NULL,
    dimensions integer NOT NULL,
    state text NOT NULL,
    cursors jsonb NOT NULL,
    embedded integer DEFAULT 0 NOT NULL,
    total integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    switched_at timestamp with time zone,
    CONSTRAINT reembed_state_check CHECK ((state = ANY (ARRAY['running'::text, 'switched'::text, 'abandoned'::text])))
);

ALTER TABLE ONLY saegim.reembed FORCE ROW LEVEL SECURITY;


--
-- Name: retired_index; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.retired_index (
    tenant_id uuid NOT NULL,
    subject text NOT NULL,
    index_version smallint NOT NULL,
    embedder text NOT NULL,
    retired_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.retired_index FORCE ROW LEVEL SECURITY;


--
-- Name: schema_revision; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.schema_revision (
    version_num character varying(32) NOT NULL
);


--
-- Name: section; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.section (
    tenant_id uuid NOT NULL,
    section_id uuid NOT NULL,
    document_id uuid NOT NULL,
    ordinal integer NOT NULL,
    path text[] NOT NULL
);

ALTER TABLE ONLY saegim.section FORCE ROW LEVEL SECURITY;


--
-- Name: session; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.session (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    name_hash bytea,
    last_turn integer DEFAULT 0 NOT NULL,
    completed_turns integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    summary_version integer DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY saegim.session FORCE ROW LEVEL SECURITY;


--
-- Name: session_summary; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.session_summary (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    member_id uuid NOT NULL,
    summary_version integer NOT NULL,
    summarised_through integer NOT NULL,
    summary bytea NOT NULL,
    entities bytea NOT NULL,
    made_by text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT session_summary_made_by_check CHECK ((made_by = ANY (ARRAY['model'::text, 'fallback'::text])))
);

ALTER TABLE ONLY saegim.session_summary FORCE ROW LEVEL SECURITY;


--
-- Name: sign_in; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.sign_in (
    tenant_id uuid NOT NULL,
    sign_in_id uuid NOT NULL,
    member_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);

ALTER TABLE ONLY saegim.sign_in FORCE ROW LEVEL SECURITY;


--
-- Name: source; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.source (
    tenant_id uuid NOT NULL,
    source_id uuid NOT NULL,
    collection_id uuid NOT NULL,
    kind text NOT NULL,
    type text NOT NULL,
    config jsonb NOT NULL,
    secret bytea,
    every_seconds integer NOT NULL,
    limits jsonb NOT NULL,
    removing boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    run_id uuid,
    synced_at timestamp with time zone,
    error text,
    listed integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT source_kind_check CHECK ((kind = ANY (ARRAY['folder'::text, 'urls'::text, 'sitemap'::text, 's3'::text])))
);

ALTER TABLE ONLY saegim.source FORCE ROW LEVEL SECURITY;


--
-- Name: source_item; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.source_item (
    tenant_id uuid NOT NULL,
    source_id uuid NOT NULL,
    key text NOT NULL,
    version text,
    etag text,
    modified text,
    content_hash bytea,
    file_id uuid,
    seen_in uuid,
    gone boolean DEFAULT false NOT NULL,
    error text
);

ALTER TABLE ONLY saegim.source_item FORCE ROW LEVEL SECURITY;


--
-- Name: tenant; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.tenant (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.tenant FORCE ROW LEVEL SECURITY;


--
-- Name: tenant_directory; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.tenant_directory (
    tenant_id uuid NOT NULL,
    cell text NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.tenant_directory FORCE ROW LEVEL SECURITY;


--
-- Name: tenant_move; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.tenant_move (
    tenant_id uuid NOT NULL,
    from_cell text NOT NULL,
    to_cell text NOT NULL,
    state text DEFAULT 'copying'::text NOT NULL,
    copied text[] DEFAULT '{}'::text[] NOT NULL,
    since bigint,
    started_at timestamp with time zone NOT NULL,
    switched_at timestamp with time zone,
    CONSTRAINT tenant_move_check CHECK ((from_cell <> to_cell)),
    CONSTRAINT tenant_move_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'switched'::text])))
);

ALTER TABLE ONLY saegim.tenant_move FORCE ROW LEVEL SECURITY;


--
-- Name: term_count; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count (
    tenant_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    index_version smallint NOT NULL,
    term integer NOT NULL,
    episodes integer DEFAULT 0 NOT NULL,
    records integer DEFAULT 0 NOT NULL
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.term_count FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_00 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_00 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_01 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_01 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_02 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_02 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_03 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_03 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_04 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_04 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_05 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_05 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_06 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_06 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_07 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_07 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_08 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_08 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_09 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_09 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_10 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_10 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_11 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_11 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_12 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_12 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_13 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_13 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_14 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_14 FORCE ROW LEVEL SECURITY;


--
-- Name: term_count_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.term_count_15 (
    tenant_id uuid CONSTRAINT term_count_tenant_id_not_null NOT NULL,
    member_id uuid CONSTRAINT term_count_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT term_count_profile_id_not_null NOT NULL,
    index_version smallint CONSTRAINT term_count_index_version_not_null NOT NULL,
    term integer CONSTRAINT term_count_term_not_null NOT NULL,
    episodes integer DEFAULT 0 CONSTRAINT term_count_episodes_not_null NOT NULL,
    records integer DEFAULT 0 CONSTRAINT term_count_records_not_null NOT NULL
);

ALTER TABLE ONLY saegim.term_count_15 FORCE ROW LEVEL SECURITY;


--
-- Name: turn; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn (
    tenant_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    session_id uuid NOT NULL,
    member_id uuid NOT NULL,
    profile_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    number integer NOT NULL,
    state text NOT NULL,
    message bytea NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea NOT NULL,
    attempt integer NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
)
PARTITION BY HASH (tenant_id);

ALTER TABLE ONLY saegim.turn FORCE ROW LEVEL SECURITY;


--
-- Name: turn_00; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_00 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_00 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_01; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_01 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_01 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_02; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_02 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_02 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_03; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_03 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_03 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_04; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_04 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_04 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_05; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_05 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_05 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_06; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_06 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_06 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_07; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_07 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_07 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_08; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_08 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_08 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_09; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_09 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_09 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_10; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_10 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_10 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_11; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_11 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_11 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_12; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_12 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_12 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_13; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_13 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_13 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_14; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_14 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_14 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_15; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_15 (
    tenant_id uuid CONSTRAINT turn_tenant_id_not_null NOT NULL,
    turn_id uuid CONSTRAINT turn_turn_id_not_null NOT NULL,
    session_id uuid CONSTRAINT turn_session_id_not_null NOT NULL,
    member_id uuid CONSTRAINT turn_member_id_not_null NOT NULL,
    profile_id uuid CONSTRAINT turn_profile_id_not_null NOT NULL,
    assistant_id uuid CONSTRAINT turn_assistant_id_not_null NOT NULL,
    number integer CONSTRAINT turn_number_not_null NOT NULL,
    state text CONSTRAINT turn_state_not_null NOT NULL,
    message bytea CONSTRAINT turn_message_not_null NOT NULL,
    inputs bytea,
    reply bytea,
    error text,
    idempotency_hash bytea,
    request_hash bytea CONSTRAINT turn_request_hash_not_null NOT NULL,
    attempt integer CONSTRAINT turn_attempt_not_null NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    cancel_requested boolean DEFAULT false CONSTRAINT turn_cancel_requested_not_null NOT NULL,
    watch_job bigint,
    created_at timestamp with time zone CONSTRAINT turn_created_at_not_null NOT NULL,
    settled_at timestamp with time zone,
    tokens integer,
    doc_ids bytea,
    redactions jsonb,
    outdated jsonb,
    text_shown boolean DEFAULT false CONSTRAINT turn_text_shown_not_null NOT NULL,
    CONSTRAINT turn_state_check CHECK ((state = ANY (ARRAY['received'::text, 'running'::text, 'done'::text, 'incomplete'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.turn_15 FORCE ROW LEVEL SECURITY;


--
-- Name: turn_trace; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.turn_trace (
    tenant_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    trace bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.turn_trace FORCE ROW LEVEL SECURITY;


--
-- Name: usage_event; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.usage_event (
    tenant_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    kind text NOT NULL,
    outcome text NOT NULL,
    event jsonb NOT NULL,
    occurred_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.usage_event FORCE ROW LEVEL SECURITY;


--
-- Name: usage_limit; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.usage_limit (
    tenant_id uuid NOT NULL,
    subject text NOT NULL,
    resource text NOT NULL,
    window_seconds integer NOT NULL,
    most bigint NOT NULL,
    CONSTRAINT usage_limit_resource_check CHECK ((resource = ANY (ARRAY['requests'::text, 'tokens'::text, 'microdollars'::text]))),
    CONSTRAINT usage_limit_subject_check CHECK ((subject = ANY (ARRAY['key'::text, 'user'::text, 'tenant'::text])))
);

ALTER TABLE ONLY saegim.usage_limit FORCE ROW LEVEL SECURITY;


--
-- Name: webhook; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.webhook (
    tenant_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY saegim.webhook FORCE ROW LEVEL SECURITY;


--
-- Name: webhook_delivery; Type: TABLE; Schema: saegim; Owner: -
--

CREATE TABLE saegim.webhook_delivery (
    tenant_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event text NOT NULL,
    subject_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    status integer,
    error text,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);

ALTER TABLE ONLY saegim.webhook_delivery FORCE ROW LEVEL SECURITY;


--
-- Name: episode_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: episode_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: episode_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: episode_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: episode_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: episode_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: episode_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: episode_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: episode_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: episode_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: episode_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: episode_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: episode_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: episode_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: episode_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: episode_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode ATTACH PARTITION saegim.episode_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: episode_vector_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: episode_vector_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: episode_vector_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: episode_vector_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: episode_vector_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: episode_vector_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: episode_vector_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: episode_vector_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: episode_vector_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: episode_vector_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: episode_vector_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: episode_vector_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: episode_vector_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: episode_vector_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: episode_vector_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: episode_vector_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector ATTACH PARTITION saegim.episode_vector_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: index_change_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: index_change_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: index_change_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: index_change_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: index_change_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: index_change_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: index_change_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: index_change_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: index_change_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: index_change_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: index_change_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: index_change_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: index_change_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: index_change_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: index_change_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: index_change_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change ATTACH PARTITION saegim.index_change_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: memory_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: memory_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: memory_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: memory_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: memory_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: memory_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: memory_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: memory_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: memory_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: memory_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: memory_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: memory_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: memory_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: memory_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: memory_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: memory_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory ATTACH PARTITION saegim.memory_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: memory_vector_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: memory_vector_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: memory_vector_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: memory_vector_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: memory_vector_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: memory_vector_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: memory_vector_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: memory_vector_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: memory_vector_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: memory_vector_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: memory_vector_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: memory_vector_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: memory_vector_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: memory_vector_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: memory_vector_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: memory_vector_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector ATTACH PARTITION saegim.memory_vector_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: memory_version_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: memory_version_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: memory_version_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: memory_version_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: memory_version_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: memory_version_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: memory_version_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: memory_version_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: memory_version_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: memory_version_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: memory_version_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: memory_version_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: memory_version_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: memory_version_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: memory_version_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: memory_version_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version ATTACH PARTITION saegim.memory_version_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: passage_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: passage_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: passage_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: passage_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: passage_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: passage_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: passage_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: passage_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: passage_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: passage_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: passage_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: passage_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: passage_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: passage_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: passage_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: passage_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage ATTACH PARTITION saegim.passage_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: passage_vector_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: passage_vector_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: passage_vector_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: passage_vector_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: passage_vector_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: passage_vector_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: passage_vector_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: passage_vector_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: passage_vector_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: passage_vector_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: passage_vector_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: passage_vector_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: passage_vector_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: passage_vector_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: passage_vector_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: passage_vector_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector ATTACH PARTITION saegim.passage_vector_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: term_count_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: term_count_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: term_count_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: term_count_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: term_count_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: term_count_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: term_count_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: term_count_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: term_count_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: term_count_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: term_count_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: term_count_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: term_count_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: term_count_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: term_count_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: term_count_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count ATTACH PARTITION saegim.term_count_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: turn_00; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_00 FOR VALUES WITH (modulus 16, remainder 0);


--
-- Name: turn_01; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_01 FOR VALUES WITH (modulus 16, remainder 1);


--
-- Name: turn_02; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_02 FOR VALUES WITH (modulus 16, remainder 2);


--
-- Name: turn_03; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_03 FOR VALUES WITH (modulus 16, remainder 3);


--
-- Name: turn_04; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_04 FOR VALUES WITH (modulus 16, remainder 4);


--
-- Name: turn_05; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_05 FOR VALUES WITH (modulus 16, remainder 5);


--
-- Name: turn_06; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_06 FOR VALUES WITH (modulus 16, remainder 6);


--
-- Name: turn_07; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_07 FOR VALUES WITH (modulus 16, remainder 7);


--
-- Name: turn_08; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_08 FOR VALUES WITH (modulus 16, remainder 8);


--
-- Name: turn_09; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_09 FOR VALUES WITH (modulus 16, remainder 9);


--
-- Name: turn_10; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_10 FOR VALUES WITH (modulus 16, remainder 10);


--
-- Name: turn_11; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_11 FOR VALUES WITH (modulus 16, remainder 11);


--
-- Name: turn_12; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_12 FOR VALUES WITH (modulus 16, remainder 12);


--
-- Name: turn_13; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_13 FOR VALUES WITH (modulus 16, remainder 13);


--
-- Name: turn_14; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_14 FOR VALUES WITH (modulus 16, remainder 14);


--
-- Name: turn_15; Type: TABLE ATTACH; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn ATTACH PARTITION saegim.turn_15 FOR VALUES WITH (modulus 16, remainder 15);


--
-- Name: procrastinate_events id; Type: DEFAULT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_events ALTER COLUMN id SET DEFAULT nextval('saegim.procrastinate_events_id_seq'::regclass);


--
-- Name: procrastinate_jobs id; Type: DEFAULT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_jobs ALTER COLUMN id SET DEFAULT nextval('saegim.procrastinate_jobs_id_seq'::regclass);


--
-- Name: procrastinate_periodic_defers id; Type: DEFAULT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_periodic_defers ALTER COLUMN id SET DEFAULT nextval('saegim.procrastinate_periodic_defers_id_seq'::regclass);


--
-- Name: app_key app_key_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.app_key
    ADD CONSTRAINT app_key_pkey PRIMARY KEY (tenant_id, key_id);


--
-- Name: app_key app_key_tenant_id_secret_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.app_key
    ADD CONSTRAINT app_key_tenant_id_secret_hash_key UNIQUE (tenant_id, secret_hash);


--
-- Name: assistant_collection assistant_collection_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant_collection
    ADD CONSTRAINT assistant_collection_pkey PRIMARY KEY (tenant_id, assistant_id, collection_id);


--
-- Name: assistant assistant_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant
    ADD CONSTRAINT assistant_pkey PRIMARY KEY (tenant_id, assistant_id);


--
-- Name: assistant assistant_tenant_id_name_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant
    ADD CONSTRAINT assistant_tenant_id_name_key UNIQUE (tenant_id, name);


--
-- Name: assistant_version assistant_version_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant_version
    ADD CONSTRAINT assistant_version_pkey PRIMARY KEY (tenant_id, assistant_id, version);


--
-- Name: audit_event audit_event_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.audit_event
    ADD CONSTRAINT audit_event_pkey PRIMARY KEY (tenant_id, event_id);


--
-- Name: audit_seal audit_seal_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.audit_seal
    ADD CONSTRAINT audit_seal_pkey PRIMARY KEY (tenant_id, number);


--
-- Name: collection collection_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.collection
    ADD CONSTRAINT collection_pkey PRIMARY KEY (tenant_id, collection_id);


--
-- Name: collection collection_tenant_id_name_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.collection
    ADD CONSTRAINT collection_tenant_id_name_key UNIQUE (tenant_id, name);


--
-- Name: consent consent_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.consent
    ADD CONSTRAINT consent_pkey PRIMARY KEY (tenant_id, subject_id);


--
-- Name: digest digest_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.digest
    ADD CONSTRAINT digest_pkey PRIMARY KEY (tenant_id, digest_id);


--
-- Name: digest digest_tenant_id_member_id_profile_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.digest
    ADD CONSTRAINT digest_tenant_id_member_id_profile_id_natural_hash_key UNIQUE (tenant_id, member_id, profile_id, natural_hash);


--
-- Name: document document_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (tenant_id, document_id);


--
-- Name: document document_tenant_id_collection_id_outside_id_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.document
    ADD CONSTRAINT document_tenant_id_collection_id_outside_id_key UNIQUE (tenant_id, collection_id, outside_id);


--
-- Name: embedder_use embedder_use_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.embedder_use
    ADD CONSTRAINT embedder_use_pkey PRIMARY KEY (embedder);


--
-- Name: episode episode_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode
    ADD CONSTRAINT episode_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_00 episode_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_00
    ADD CONSTRAINT episode_00_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode episode_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode
    ADD CONSTRAINT episode_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_00 episode_00_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_00
    ADD CONSTRAINT episode_00_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_01 episode_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_01
    ADD CONSTRAINT episode_01_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_01 episode_01_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_01
    ADD CONSTRAINT episode_01_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_02 episode_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_02
    ADD CONSTRAINT episode_02_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_02 episode_02_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_02
    ADD CONSTRAINT episode_02_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_03 episode_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_03
    ADD CONSTRAINT episode_03_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_03 episode_03_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_03
    ADD CONSTRAINT episode_03_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_04 episode_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_04
    ADD CONSTRAINT episode_04_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_04 episode_04_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_04
    ADD CONSTRAINT episode_04_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_05 episode_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_05
    ADD CONSTRAINT episode_05_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_05 episode_05_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_05
    ADD CONSTRAINT episode_05_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_06 episode_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_06
    ADD CONSTRAINT episode_06_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_06 episode_06_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_06
    ADD CONSTRAINT episode_06_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_07 episode_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_07
    ADD CONSTRAINT episode_07_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_07 episode_07_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_07
    ADD CONSTRAINT episode_07_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_08 episode_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_08
    ADD CONSTRAINT episode_08_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_08 episode_08_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_08
    ADD CONSTRAINT episode_08_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_09 episode_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_09
    ADD CONSTRAINT episode_09_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_09 episode_09_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_09
    ADD CONSTRAINT episode_09_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_10 episode_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_10
    ADD CONSTRAINT episode_10_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_10 episode_10_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_10
    ADD CONSTRAINT episode_10_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_11 episode_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_11
    ADD CONSTRAINT episode_11_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_11 episode_11_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_11
    ADD CONSTRAINT episode_11_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_12 episode_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_12
    ADD CONSTRAINT episode_12_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_12 episode_12_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_12
    ADD CONSTRAINT episode_12_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_13 episode_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_13
    ADD CONSTRAINT episode_13_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_13 episode_13_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_13
    ADD CONSTRAINT episode_13_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_14 episode_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_14
    ADD CONSTRAINT episode_14_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_14 episode_14_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_14
    ADD CONSTRAINT episode_14_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_15 episode_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_15
    ADD CONSTRAINT episode_15_pkey PRIMARY KEY (tenant_id, episode_id);


--
-- Name: episode_15 episode_15_tenant_id_session_id_first_turn_last_turn_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_15
    ADD CONSTRAINT episode_15_tenant_id_session_id_first_turn_last_turn_key UNIQUE (tenant_id, session_id, first_turn, last_turn);


--
-- Name: episode_vector episode_vector_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector
    ADD CONSTRAINT episode_vector_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_00 episode_vector_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_00
    ADD CONSTRAINT episode_vector_00_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_01 episode_vector_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_01
    ADD CONSTRAINT episode_vector_01_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_02 episode_vector_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_02
    ADD CONSTRAINT episode_vector_02_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_03 episode_vector_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_03
    ADD CONSTRAINT episode_vector_03_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_04 episode_vector_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_04
    ADD CONSTRAINT episode_vector_04_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_05 episode_vector_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_05
    ADD CONSTRAINT episode_vector_05_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_06 episode_vector_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_06
    ADD CONSTRAINT episode_vector_06_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_07 episode_vector_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_07
    ADD CONSTRAINT episode_vector_07_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_08 episode_vector_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_08
    ADD CONSTRAINT episode_vector_08_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_09 episode_vector_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_09
    ADD CONSTRAINT episode_vector_09_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_10 episode_vector_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_10
    ADD CONSTRAINT episode_vector_10_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_11 episode_vector_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_11
    ADD CONSTRAINT episode_vector_11_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_12 episode_vector_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_12
    ADD CONSTRAINT episode_vector_12_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_13 episode_vector_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_13
    ADD CONSTRAINT episode_vector_13_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_14 episode_vector_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_14
    ADD CONSTRAINT episode_vector_14_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: episode_vector_15 episode_vector_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.episode_vector_15
    ADD CONSTRAINT episode_vector_15_pkey PRIMARY KEY (tenant_id, member_id, profile_id, episode_id, index_version);


--
-- Name: erasure erasure_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (tenant_id, erasure_id);


--
-- Name: extraction extraction_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.extraction
    ADD CONSTRAINT extraction_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: feedback feedback_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: file_part file_part_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.file_part
    ADD CONSTRAINT file_part_pkey PRIMARY KEY (tenant_id, file_id, part);


--
-- Name: guild_activity guild_activity_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_activity
    ADD CONSTRAINT guild_activity_pkey PRIMARY KEY (tenant_id, guild_id, day, name_hash);


--
-- Name: guild_channel guild_channel_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_channel
    ADD CONSTRAINT guild_channel_pkey PRIMARY KEY (tenant_id, guild_id, channel_id);


--
-- Name: guild_notice guild_notice_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_notice
    ADD CONSTRAINT guild_notice_pkey PRIMARY KEY (tenant_id, notice_id);


--
-- Name: guild guild_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild
    ADD CONSTRAINT guild_pkey PRIMARY KEY (tenant_id, guild_id);


--
-- Name: identity identity_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (tenant_id, identity_id);


--
-- Name: identity identity_tenant_id_outside_id_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.identity
    ADD CONSTRAINT identity_tenant_id_outside_id_hash_key UNIQUE (tenant_id, outside_id_hash);


--
-- Name: index_build index_build_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_build
    ADD CONSTRAINT index_build_pkey PRIMARY KEY (tenant_id);


--
-- Name: index_change index_change_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change
    ADD CONSTRAINT index_change_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_00 index_change_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_00
    ADD CONSTRAINT index_change_00_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_01 index_change_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_01
    ADD CONSTRAINT index_change_01_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_02 index_change_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_02
    ADD CONSTRAINT index_change_02_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_03 index_change_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_03
    ADD CONSTRAINT index_change_03_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_04 index_change_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_04
    ADD CONSTRAINT index_change_04_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_05 index_change_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_05
    ADD CONSTRAINT index_change_05_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_06 index_change_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_06
    ADD CONSTRAINT index_change_06_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_07 index_change_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_07
    ADD CONSTRAINT index_change_07_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_08 index_change_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_08
    ADD CONSTRAINT index_change_08_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_09 index_change_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_09
    ADD CONSTRAINT index_change_09_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_10 index_change_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_10
    ADD CONSTRAINT index_change_10_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_11 index_change_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_11
    ADD CONSTRAINT index_change_11_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_12 index_change_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_12
    ADD CONSTRAINT index_change_12_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_13 index_change_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_13
    ADD CONSTRAINT index_change_13_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_14 index_change_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_14
    ADD CONSTRAINT index_change_14_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_change_15 index_change_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_change_15
    ADD CONSTRAINT index_change_15_pkey PRIMARY KEY (tenant_id, change_id);


--
-- Name: index_state index_state_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_state
    ADD CONSTRAINT index_state_pkey PRIMARY KEY (tenant_id, subject);


--
-- Name: ingest_file ingest_file_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ingest_file
    ADD CONSTRAINT ingest_file_pkey PRIMARY KEY (tenant_id, file_id);


--
-- Name: ingest_file ingest_file_tenant_id_ingest_id_name_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ingest_file
    ADD CONSTRAINT ingest_file_tenant_id_ingest_id_name_key UNIQUE (tenant_id, ingest_id, name);


--
-- Name: ingest ingest_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ingest
    ADD CONSTRAINT ingest_pkey PRIMARY KEY (tenant_id, ingest_id);


--
-- Name: issuer issuer_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.issuer
    ADD CONSTRAINT issuer_pkey PRIMARY KEY (tenant_id, issuer_id);


--
-- Name: issuer issuer_tenant_id_url_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.issuer
    ADD CONSTRAINT issuer_tenant_id_url_key UNIQUE (tenant_id, url);


--
-- Name: job_failure job_failure_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.job_failure
    ADD CONSTRAINT job_failure_pkey PRIMARY KEY (job_id);


--
-- Name: link_code link_code_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.link_code
    ADD CONSTRAINT link_code_pkey PRIMARY KEY (tenant_id, code_hash);


--
-- Name: member member_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (tenant_id, member_id);


--
-- Name: member member_tenant_id_outside_id_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.member
    ADD CONSTRAINT member_tenant_id_outside_id_hash_key UNIQUE (tenant_id, outside_id_hash);


--
-- Name: memory memory_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory
    ADD CONSTRAINT memory_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_00 memory_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_00
    ADD CONSTRAINT memory_00_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory memory_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory
    ADD CONSTRAINT memory_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_00 memory_00_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_00
    ADD CONSTRAINT memory_00_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_01 memory_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_01
    ADD CONSTRAINT memory_01_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_01 memory_01_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_01
    ADD CONSTRAINT memory_01_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_02 memory_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_02
    ADD CONSTRAINT memory_02_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_02 memory_02_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_02
    ADD CONSTRAINT memory_02_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_03 memory_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_03
    ADD CONSTRAINT memory_03_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_03 memory_03_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_03
    ADD CONSTRAINT memory_03_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_04 memory_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_04
    ADD CONSTRAINT memory_04_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_04 memory_04_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_04
    ADD CONSTRAINT memory_04_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_05 memory_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_05
    ADD CONSTRAINT memory_05_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_05 memory_05_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_05
    ADD CONSTRAINT memory_05_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_06 memory_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_06
    ADD CONSTRAINT memory_06_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_06 memory_06_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_06
    ADD CONSTRAINT memory_06_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_07 memory_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_07
    ADD CONSTRAINT memory_07_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_07 memory_07_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_07
    ADD CONSTRAINT memory_07_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_08 memory_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_08
    ADD CONSTRAINT memory_08_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_08 memory_08_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_08
    ADD CONSTRAINT memory_08_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_09 memory_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_09
    ADD CONSTRAINT memory_09_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_09 memory_09_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_09
    ADD CONSTRAINT memory_09_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_10 memory_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_10
    ADD CONSTRAINT memory_10_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_10 memory_10_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_10
    ADD CONSTRAINT memory_10_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_11 memory_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_11
    ADD CONSTRAINT memory_11_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_11 memory_11_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_11
    ADD CONSTRAINT memory_11_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_12 memory_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_12
    ADD CONSTRAINT memory_12_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_12 memory_12_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_12
    ADD CONSTRAINT memory_12_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_13 memory_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_13
    ADD CONSTRAINT memory_13_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_13 memory_13_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_13
    ADD CONSTRAINT memory_13_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_14 memory_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_14
    ADD CONSTRAINT memory_14_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_14 memory_14_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_14
    ADD CONSTRAINT memory_14_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_15 memory_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_15
    ADD CONSTRAINT memory_15_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id);


--
-- Name: memory_15 memory_15_tenant_id_natural_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_15
    ADD CONSTRAINT memory_15_tenant_id_natural_hash_key UNIQUE (tenant_id, natural_hash);


--
-- Name: memory_import memory_import_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_import
    ADD CONSTRAINT memory_import_pkey PRIMARY KEY (tenant_id, import_id);


--
-- Name: memory_vector memory_vector_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector
    ADD CONSTRAINT memory_vector_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_00 memory_vector_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_00
    ADD CONSTRAINT memory_vector_00_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_01 memory_vector_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_01
    ADD CONSTRAINT memory_vector_01_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_02 memory_vector_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_02
    ADD CONSTRAINT memory_vector_02_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_03 memory_vector_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_03
    ADD CONSTRAINT memory_vector_03_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_04 memory_vector_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_04
    ADD CONSTRAINT memory_vector_04_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_05 memory_vector_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_05
    ADD CONSTRAINT memory_vector_05_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_06 memory_vector_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_06
    ADD CONSTRAINT memory_vector_06_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_07 memory_vector_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_07
    ADD CONSTRAINT memory_vector_07_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_08 memory_vector_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_08
    ADD CONSTRAINT memory_vector_08_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_09 memory_vector_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_09
    ADD CONSTRAINT memory_vector_09_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_10 memory_vector_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_10
    ADD CONSTRAINT memory_vector_10_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_11 memory_vector_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_11
    ADD CONSTRAINT memory_vector_11_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_12 memory_vector_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_12
    ADD CONSTRAINT memory_vector_12_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_13 memory_vector_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_13
    ADD CONSTRAINT memory_vector_13_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_14 memory_vector_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_14
    ADD CONSTRAINT memory_vector_14_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_vector_15 memory_vector_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_vector_15
    ADD CONSTRAINT memory_vector_15_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, index_version);


--
-- Name: memory_version memory_version_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version
    ADD CONSTRAINT memory_version_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_00 memory_version_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_00
    ADD CONSTRAINT memory_version_00_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_01 memory_version_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_01
    ADD CONSTRAINT memory_version_01_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_02 memory_version_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_02
    ADD CONSTRAINT memory_version_02_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_03 memory_version_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_03
    ADD CONSTRAINT memory_version_03_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_04 memory_version_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_04
    ADD CONSTRAINT memory_version_04_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_05 memory_version_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_05
    ADD CONSTRAINT memory_version_05_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_06 memory_version_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_06
    ADD CONSTRAINT memory_version_06_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_07 memory_version_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_07
    ADD CONSTRAINT memory_version_07_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_08 memory_version_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_08
    ADD CONSTRAINT memory_version_08_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_09 memory_version_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_09
    ADD CONSTRAINT memory_version_09_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_10 memory_version_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_10
    ADD CONSTRAINT memory_version_10_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_11 memory_version_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_11
    ADD CONSTRAINT memory_version_11_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_12 memory_version_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_12
    ADD CONSTRAINT memory_version_12_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_13 memory_version_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_13
    ADD CONSTRAINT memory_version_13_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_14 memory_version_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_14
    ADD CONSTRAINT memory_version_14_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: memory_version_15 memory_version_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_version_15
    ADD CONSTRAINT memory_version_15_pkey PRIMARY KEY (tenant_id, member_id, profile_id, memory_id, version);


--
-- Name: passage passage_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_00 passage_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_00
    ADD CONSTRAINT passage_00_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_01 passage_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_01
    ADD CONSTRAINT passage_01_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_02 passage_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_02
    ADD CONSTRAINT passage_02_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_03 passage_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_03
    ADD CONSTRAINT passage_03_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_04 passage_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_04
    ADD CONSTRAINT passage_04_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_05 passage_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_05
    ADD CONSTRAINT passage_05_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_06 passage_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_06
    ADD CONSTRAINT passage_06_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_07 passage_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_07
    ADD CONSTRAINT passage_07_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_08 passage_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_08
    ADD CONSTRAINT passage_08_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_09 passage_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_09
    ADD CONSTRAINT passage_09_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_10 passage_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_10
    ADD CONSTRAINT passage_10_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_11 passage_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_11
    ADD CONSTRAINT passage_11_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_12 passage_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_12
    ADD CONSTRAINT passage_12_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_13 passage_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_13
    ADD CONSTRAINT passage_13_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_14 passage_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_14
    ADD CONSTRAINT passage_14_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_15 passage_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_15
    ADD CONSTRAINT passage_15_pkey PRIMARY KEY (tenant_id, passage_id);


--
-- Name: passage_vector passage_vector_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector
    ADD CONSTRAINT passage_vector_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_00 passage_vector_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_00
    ADD CONSTRAINT passage_vector_00_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_01 passage_vector_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_01
    ADD CONSTRAINT passage_vector_01_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_02 passage_vector_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_02
    ADD CONSTRAINT passage_vector_02_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_03 passage_vector_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_03
    ADD CONSTRAINT passage_vector_03_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_04 passage_vector_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_04
    ADD CONSTRAINT passage_vector_04_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_05 passage_vector_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_05
    ADD CONSTRAINT passage_vector_05_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_06 passage_vector_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_06
    ADD CONSTRAINT passage_vector_06_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_07 passage_vector_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_07
    ADD CONSTRAINT passage_vector_07_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_08 passage_vector_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_08
    ADD CONSTRAINT passage_vector_08_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_09 passage_vector_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_09
    ADD CONSTRAINT passage_vector_09_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_10 passage_vector_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_10
    ADD CONSTRAINT passage_vector_10_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_11 passage_vector_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_11
    ADD CONSTRAINT passage_vector_11_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_12 passage_vector_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_12
    ADD CONSTRAINT passage_vector_12_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_13 passage_vector_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_13
    ADD CONSTRAINT passage_vector_13_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_14 passage_vector_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_14
    ADD CONSTRAINT passage_vector_14_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: passage_vector_15 passage_vector_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.passage_vector_15
    ADD CONSTRAINT passage_vector_15_pkey PRIMARY KEY (tenant_id, passage_id, embedder);


--
-- Name: procrastinate_events procrastinate_events_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_events
    ADD CONSTRAINT procrastinate_events_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_jobs procrastinate_jobs_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_unique; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_unique UNIQUE (task_name, periodic_id, defer_timestamp);


--
-- Name: procrastinate_workers procrastinate_workers_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_workers
    ADD CONSTRAINT procrastinate_workers_pkey PRIMARY KEY (id);


--
-- Name: profile profile_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.profile
    ADD CONSTRAINT profile_pkey PRIMARY KEY (tenant_id, profile_id);


--
-- Name: profile profile_tenant_id_member_id_name_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.profile
    ADD CONSTRAINT profile_tenant_id_member_id_name_hash_key UNIQUE (tenant_id, member_id, name_hash);


--
-- Name: ranking ranking_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ranking
    ADD CONSTRAINT ranking_pkey PRIMARY KEY (tenant_id);


--
-- Name: reembed reembed_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.reembed
    ADD CONSTRAINT reembed_pkey PRIMARY KEY (tenant_id);


--
-- Name: retired_index retired_index_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.retired_index
    ADD CONSTRAINT retired_index_pkey PRIMARY KEY (tenant_id, subject, index_version);


--
-- Name: schema_revision schema_revision_pkc; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.schema_revision
    ADD CONSTRAINT schema_revision_pkc PRIMARY KEY (version_num);


--
-- Name: section section_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.section
    ADD CONSTRAINT section_pkey PRIMARY KEY (tenant_id, section_id);


--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (tenant_id, session_id);


--
-- Name: session_summary session_summary_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session_summary
    ADD CONSTRAINT session_summary_pkey PRIMARY KEY (tenant_id, session_id);


--
-- Name: session session_tenant_id_member_id_profile_id_name_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session
    ADD CONSTRAINT session_tenant_id_member_id_profile_id_name_hash_key UNIQUE (tenant_id, member_id, profile_id, name_hash);


--
-- Name: sign_in sign_in_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.sign_in
    ADD CONSTRAINT sign_in_pkey PRIMARY KEY (tenant_id, sign_in_id);


--
-- Name: source_item source_item_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.source_item
    ADD CONSTRAINT source_item_pkey PRIMARY KEY (tenant_id, source_id, key);


--
-- Name: source source_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (tenant_id, source_id);


--
-- Name: tenant_directory tenant_directory_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.tenant_directory
    ADD CONSTRAINT tenant_directory_pkey PRIMARY KEY (tenant_id);


--
-- Name: tenant_move tenant_move_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.tenant_move
    ADD CONSTRAINT tenant_move_pkey PRIMARY KEY (tenant_id);


--
-- Name: tenant tenant_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.tenant
    ADD CONSTRAINT tenant_pkey PRIMARY KEY (tenant_id);


--
-- Name: term_count term_count_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count
    ADD CONSTRAINT term_count_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_00 term_count_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_00
    ADD CONSTRAINT term_count_00_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_01 term_count_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_01
    ADD CONSTRAINT term_count_01_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_02 term_count_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_02
    ADD CONSTRAINT term_count_02_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_03 term_count_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_03
    ADD CONSTRAINT term_count_03_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_04 term_count_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_04
    ADD CONSTRAINT term_count_04_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_05 term_count_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_05
    ADD CONSTRAINT term_count_05_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_06 term_count_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_06
    ADD CONSTRAINT term_count_06_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_07 term_count_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_07
    ADD CONSTRAINT term_count_07_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_08 term_count_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_08
    ADD CONSTRAINT term_count_08_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_09 term_count_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_09
    ADD CONSTRAINT term_count_09_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_10 term_count_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_10
    ADD CONSTRAINT term_count_10_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_11 term_count_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_11
    ADD CONSTRAINT term_count_11_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_12 term_count_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_12
    ADD CONSTRAINT term_count_12_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_13 term_count_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_13
    ADD CONSTRAINT term_count_13_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_14 term_count_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_14
    ADD CONSTRAINT term_count_14_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: term_count_15 term_count_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.term_count_15
    ADD CONSTRAINT term_count_15_pkey PRIMARY KEY (tenant_id, member_id, profile_id, index_version, term);


--
-- Name: turn turn_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn
    ADD CONSTRAINT turn_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_00 turn_00_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_00
    ADD CONSTRAINT turn_00_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn turn_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn
    ADD CONSTRAINT turn_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_00 turn_00_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_00
    ADD CONSTRAINT turn_00_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn turn_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn
    ADD CONSTRAINT turn_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_00 turn_00_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_00
    ADD CONSTRAINT turn_00_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_01 turn_01_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_01
    ADD CONSTRAINT turn_01_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_01 turn_01_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_01
    ADD CONSTRAINT turn_01_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_01 turn_01_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_01
    ADD CONSTRAINT turn_01_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_02 turn_02_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_02
    ADD CONSTRAINT turn_02_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_02 turn_02_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_02
    ADD CONSTRAINT turn_02_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_02 turn_02_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_02
    ADD CONSTRAINT turn_02_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_03 turn_03_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_03
    ADD CONSTRAINT turn_03_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_03 turn_03_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_03
    ADD CONSTRAINT turn_03_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_03 turn_03_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_03
    ADD CONSTRAINT turn_03_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_04 turn_04_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_04
    ADD CONSTRAINT turn_04_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_04 turn_04_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_04
    ADD CONSTRAINT turn_04_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_04 turn_04_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_04
    ADD CONSTRAINT turn_04_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_05 turn_05_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_05
    ADD CONSTRAINT turn_05_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_05 turn_05_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_05
    ADD CONSTRAINT turn_05_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_05 turn_05_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_05
    ADD CONSTRAINT turn_05_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_06 turn_06_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_06
    ADD CONSTRAINT turn_06_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_06 turn_06_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_06
    ADD CONSTRAINT turn_06_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_06 turn_06_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_06
    ADD CONSTRAINT turn_06_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_07 turn_07_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_07
    ADD CONSTRAINT turn_07_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_07 turn_07_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_07
    ADD CONSTRAINT turn_07_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_07 turn_07_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_07
    ADD CONSTRAINT turn_07_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_08 turn_08_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_08
    ADD CONSTRAINT turn_08_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_08 turn_08_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_08
    ADD CONSTRAINT turn_08_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_08 turn_08_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_08
    ADD CONSTRAINT turn_08_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_09 turn_09_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_09
    ADD CONSTRAINT turn_09_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_09 turn_09_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_09
    ADD CONSTRAINT turn_09_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_09 turn_09_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_09
    ADD CONSTRAINT turn_09_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_10 turn_10_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_10
    ADD CONSTRAINT turn_10_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_10 turn_10_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_10
    ADD CONSTRAINT turn_10_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_10 turn_10_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_10
    ADD CONSTRAINT turn_10_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_11 turn_11_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_11
    ADD CONSTRAINT turn_11_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_11 turn_11_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_11
    ADD CONSTRAINT turn_11_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_11 turn_11_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_11
    ADD CONSTRAINT turn_11_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_12 turn_12_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_12
    ADD CONSTRAINT turn_12_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_12 turn_12_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_12
    ADD CONSTRAINT turn_12_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_12 turn_12_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_12
    ADD CONSTRAINT turn_12_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_13 turn_13_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_13
    ADD CONSTRAINT turn_13_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_13 turn_13_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_13
    ADD CONSTRAINT turn_13_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_13 turn_13_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_13
    ADD CONSTRAINT turn_13_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_14 turn_14_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_14
    ADD CONSTRAINT turn_14_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_14 turn_14_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_14
    ADD CONSTRAINT turn_14_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_14 turn_14_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_14
    ADD CONSTRAINT turn_14_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_15 turn_15_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_15
    ADD CONSTRAINT turn_15_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: turn_15 turn_15_tenant_id_member_id_idempotency_hash_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_15
    ADD CONSTRAINT turn_15_tenant_id_member_id_idempotency_hash_key UNIQUE (tenant_id, member_id, idempotency_hash);


--
-- Name: turn_15 turn_15_tenant_id_session_id_number_key; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_15
    ADD CONSTRAINT turn_15_tenant_id_session_id_number_key UNIQUE (tenant_id, session_id, number);


--
-- Name: turn_trace turn_trace_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.turn_trace
    ADD CONSTRAINT turn_trace_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: usage_event usage_event_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.usage_event
    ADD CONSTRAINT usage_event_pkey PRIMARY KEY (tenant_id, turn_id);


--
-- Name: usage_limit usage_limit_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.usage_limit
    ADD CONSTRAINT usage_limit_pkey PRIMARY KEY (tenant_id, subject, resource, window_seconds);


--
-- Name: webhook_delivery webhook_delivery_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (tenant_id, delivery_id);


--
-- Name: webhook webhook_pkey; Type: CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (tenant_id, webhook_id);


--
-- Name: audit_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX audit_by_person ON saegim.audit_event USING btree (tenant_id, member_id, profile_id, event_id);


--
-- Name: audit_by_seal; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX audit_by_seal ON saegim.audit_event USING btree (tenant_id, sealed_in, event_id);


--
-- Name: audit_by_subject; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX audit_by_subject ON saegim.audit_event USING btree (tenant_id, subject_id, event_id);


--
-- Name: audit_unsealed; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX audit_unsealed ON saegim.audit_event USING btree (tenant_id, event_id) WHERE (sealed_in IS NULL);


--
-- Name: collection_of_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE UNIQUE INDEX collection_of_person ON saegim.collection USING btree (tenant_id, owner_id) WHERE (owner_id IS NOT NULL);


--
-- Name: digest_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX digest_by_person ON saegim.digest USING btree (tenant_id, member_id, profile_id, digest_id);


--
-- Name: document_by_lookup_key; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX document_by_lookup_key ON saegim.document USING btree (tenant_id, lookup_key);


--
-- Name: document_of_source; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX document_of_source ON saegim.document USING btree (tenant_id, source_id, source_key);


--
-- Name: episode_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_by_person ON ONLY saegim.episode USING btree (tenant_id, member_id);


--
-- Name: episode_00_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_00_tenant_id_member_id_idx ON saegim.episode_00 USING btree (tenant_id, member_id);


--
-- Name: episode_01_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_01_tenant_id_member_id_idx ON saegim.episode_01 USING btree (tenant_id, member_id);


--
-- Name: episode_02_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_02_tenant_id_member_id_idx ON saegim.episode_02 USING btree (tenant_id, member_id);


--
-- Name: episode_03_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_03_tenant_id_member_id_idx ON saegim.episode_03 USING btree (tenant_id, member_id);


--
-- Name: episode_04_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_04_tenant_id_member_id_idx ON saegim.episode_04 USING btree (tenant_id, member_id);


--
-- Name: episode_05_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_05_tenant_id_member_id_idx ON saegim.episode_05 USING btree (tenant_id, member_id);


--
-- Name: episode_06_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_06_tenant_id_member_id_idx ON saegim.episode_06 USING btree (tenant_id, member_id);


--
-- Name: episode_07_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_07_tenant_id_member_id_idx ON saegim.episode_07 USING btree (tenant_id, member_id);


--
-- Name: episode_08_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_08_tenant_id_member_id_idx ON saegim.episode_08 USING btree (tenant_id, member_id);


--
-- Name: episode_09_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_09_tenant_id_member_id_idx ON saegim.episode_09 USING btree (tenant_id, member_id);


--
-- Name: episode_10_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_10_tenant_id_member_id_idx ON saegim.episode_10 USING btree (tenant_id, member_id);


--
-- Name: episode_11_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_11_tenant_id_member_id_idx ON saegim.episode_11 USING btree (tenant_id, member_id);


--
-- Name: episode_12_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_12_tenant_id_member_id_idx ON saegim.episode_12 USING btree (tenant_id, member_id);


--
-- Name: episode_13_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_13_tenant_id_member_id_idx ON saegim.episode_13 USING btree (tenant_id, member_id);


--
-- Name: episode_14_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_14_tenant_id_member_id_idx ON saegim.episode_14 USING btree (tenant_id, member_id);


--
-- Name: episode_15_tenant_id_member_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_15_tenant_id_member_id_idx ON saegim.episode_15 USING btree (tenant_id, member_id);


--
-- Name: episode_vector_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_tenant_id_member_id_profile_id_changed_idx ON ONLY saegim.episode_vector USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_00_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_00_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_00 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_01_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_01_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_01 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_02_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_02_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_02 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_03_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_03_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_03 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_04_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_04_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_04 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_05_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_05_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_05 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_06_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_06_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_06 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_07_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_07_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_07 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_08_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_08_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_08 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_09_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_09_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_09 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_10_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_10_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_10 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_11_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_11_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_11 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_12_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_12_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_12 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_13_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_13_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_13 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_14_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_14_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_14 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: episode_vector_15_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX episode_vector_15_tenant_id_member_id_profile_id_changed_idx ON saegim.episode_vector_15 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: erasure_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX erasure_by_person ON saegim.erasure USING btree (tenant_id, member_id);


--
-- Name: extraction_by_fallback; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX extraction_by_fallback ON saegim.extraction USING btree (tenant_id, turn_id) WHERE (origin = 'fallback'::text);


--
-- Name: extraction_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX extraction_by_person ON saegim.extraction USING btree (tenant_id, member_id);


--
-- Name: extraction_failed; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX extraction_failed ON saegim.extraction USING btree (tenant_id, at) WHERE (error IS NOT NULL);


--
-- Name: feedback_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX feedback_by_person ON saegim.feedback USING btree (tenant_id, member_id);


--
-- Name: feedback_for_evaluation; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX feedback_for_evaluation ON saegim.feedback USING btree (tenant_id, created_at) WHERE for_evaluation;


--
-- Name: guild_activity_by_name; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX guild_activity_by_name ON saegim.guild_activity USING btree (tenant_id, name_hash);


--
-- Name: guild_notice_by_guild; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX guild_notice_by_guild ON saegim.guild_notice USING btree (tenant_id, guild_id, notice_id);


--
-- Name: identity_by_member; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX identity_by_member ON saegim.identity USING btree (tenant_id, member_id);


--
-- Name: idx_procrastinate_jobs_worker_not_null; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX idx_procrastinate_jobs_worker_not_null ON saegim.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::saegim.procrastinate_job_status));


--
-- Name: idx_procrastinate_workers_last_heartbeat; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX idx_procrastinate_workers_last_heartbeat ON saegim.procrastinate_workers USING btree (last_heartbeat);


--
-- Name: import_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX import_by_person ON saegim.memory_import USING btree (tenant_id, member_id);


--
-- Name: import_by_time; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX import_by_time ON saegim.memory_import USING btree (tenant_id, updated_at) WHERE (body IS NULL);


--
-- Name: ingest_by_time; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX ingest_by_time ON saegim.ingest USING btree (tenant_id, created_at);


--
-- Name: job_by_lock; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_by_lock ON saegim.procrastinate_jobs USING btree (lock, ((- priority)), id) WHERE (status = 'todo'::saegim.procrastinate_job_status);


--
-- Name: job_by_tenant; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_by_tenant ON saegim.procrastinate_jobs USING btree (((args ->> 'tenant'::text)), ((- priority))) WHERE ((status = 'todo'::saegim.procrastinate_job_status) AND (scheduled_at IS NULL));


--
-- Name: job_failed; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_failed ON saegim.procrastinate_jobs USING btree (id) WHERE (status = 'failed'::saegim.procrastinate_job_status);


--
-- Name: job_running; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_running ON saegim.procrastinate_jobs USING btree (priority) WHERE (status = 'doing'::saegim.procrastinate_job_status);


--
-- Name: job_scheduled; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_scheduled ON saegim.procrastinate_jobs USING btree (scheduled_at) WHERE ((status = 'todo'::saegim.procrastinate_job_status) AND (scheduled_at IS NOT NULL));


--
-- Name: job_watch; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX job_watch ON saegim.procrastinate_jobs USING btree (((- priority)), id) WHERE ((status = 'todo'::saegim.procrastinate_job_status) AND (scheduled_at IS NULL) AND ((task_name)::text = 'watch_turn'::text));


--
-- Name: key_by_member; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX key_by_member ON saegim.app_key USING btree (tenant_id, member_id);


--
-- Name: link_code_by_member; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX link_code_by_member ON saegim.link_code USING btree (tenant_id, member_id);


--
-- Name: memory_forgotten; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_forgotten ON ONLY saegim.memory USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_00_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_00_tenant_id_forgotten_at_idx ON saegim.memory_00 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_by_weight; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_by_weight ON ONLY saegim.memory USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_00_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_00_tenant_id_importance_idx ON saegim.memory_00 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_kept; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_kept ON ONLY saegim.memory USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_00_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_00_tenant_id_member_id_profile_id_idx ON saegim.memory_00 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_by_successor; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_by_successor ON ONLY saegim.memory USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_00_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_00_tenant_id_superseded_by_idx ON saegim.memory_00 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_by_age; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_by_age ON ONLY saegim.memory USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_00_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_00_tenant_id_type_said_at_idx ON saegim.memory_00 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_01_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_01_tenant_id_forgotten_at_idx ON saegim.memory_01 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_01_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_01_tenant_id_importance_idx ON saegim.memory_01 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_01_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_01_tenant_id_member_id_profile_id_idx ON saegim.memory_01 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_01_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_01_tenant_id_superseded_by_idx ON saegim.memory_01 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_01_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_01_tenant_id_type_said_at_idx ON saegim.memory_01 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_02_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_02_tenant_id_forgotten_at_idx ON saegim.memory_02 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_02_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_02_tenant_id_importance_idx ON saegim.memory_02 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_02_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_02_tenant_id_member_id_profile_id_idx ON saegim.memory_02 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_02_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_02_tenant_id_superseded_by_idx ON saegim.memory_02 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_02_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_02_tenant_id_type_said_at_idx ON saegim.memory_02 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_03_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_03_tenant_id_forgotten_at_idx ON saegim.memory_03 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_03_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_03_tenant_id_importance_idx ON saegim.memory_03 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_03_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_03_tenant_id_member_id_profile_id_idx ON saegim.memory_03 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_03_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_03_tenant_id_superseded_by_idx ON saegim.memory_03 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_03_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_03_tenant_id_type_said_at_idx ON saegim.memory_03 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_04_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_04_tenant_id_forgotten_at_idx ON saegim.memory_04 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_04_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_04_tenant_id_importance_idx ON saegim.memory_04 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_04_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_04_tenant_id_member_id_profile_id_idx ON saegim.memory_04 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_04_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_04_tenant_id_superseded_by_idx ON saegim.memory_04 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_04_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_04_tenant_id_type_said_at_idx ON saegim.memory_04 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_05_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_05_tenant_id_forgotten_at_idx ON saegim.memory_05 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_05_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_05_tenant_id_importance_idx ON saegim.memory_05 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_05_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_05_tenant_id_member_id_profile_id_idx ON saegim.memory_05 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_05_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_05_tenant_id_superseded_by_idx ON saegim.memory_05 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_05_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_05_tenant_id_type_said_at_idx ON saegim.memory_05 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_06_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_06_tenant_id_forgotten_at_idx ON saegim.memory_06 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_06_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_06_tenant_id_importance_idx ON saegim.memory_06 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_06_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_06_tenant_id_member_id_profile_id_idx ON saegim.memory_06 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_06_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_06_tenant_id_superseded_by_idx ON saegim.memory_06 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_06_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_06_tenant_id_type_said_at_idx ON saegim.memory_06 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_07_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_07_tenant_id_forgotten_at_idx ON saegim.memory_07 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_07_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_07_tenant_id_importance_idx ON saegim.memory_07 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_07_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_07_tenant_id_member_id_profile_id_idx ON saegim.memory_07 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_07_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_07_tenant_id_superseded_by_idx ON saegim.memory_07 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_07_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_07_tenant_id_type_said_at_idx ON saegim.memory_07 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_08_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_08_tenant_id_forgotten_at_idx ON saegim.memory_08 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_08_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_08_tenant_id_importance_idx ON saegim.memory_08 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_08_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_08_tenant_id_member_id_profile_id_idx ON saegim.memory_08 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_08_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_08_tenant_id_superseded_by_idx ON saegim.memory_08 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_08_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_08_tenant_id_type_said_at_idx ON saegim.memory_08 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_09_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_09_tenant_id_forgotten_at_idx ON saegim.memory_09 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_09_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_09_tenant_id_importance_idx ON saegim.memory_09 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_09_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_09_tenant_id_member_id_profile_id_idx ON saegim.memory_09 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_09_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_09_tenant_id_superseded_by_idx ON saegim.memory_09 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_09_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_09_tenant_id_type_said_at_idx ON saegim.memory_09 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_10_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_10_tenant_id_forgotten_at_idx ON saegim.memory_10 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_10_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_10_tenant_id_importance_idx ON saegim.memory_10 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_10_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_10_tenant_id_member_id_profile_id_idx ON saegim.memory_10 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_10_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_10_tenant_id_superseded_by_idx ON saegim.memory_10 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_10_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_10_tenant_id_type_said_at_idx ON saegim.memory_10 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_11_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_11_tenant_id_forgotten_at_idx ON saegim.memory_11 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_11_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_11_tenant_id_importance_idx ON saegim.memory_11 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_11_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_11_tenant_id_member_id_profile_id_idx ON saegim.memory_11 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_11_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_11_tenant_id_superseded_by_idx ON saegim.memory_11 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_11_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_11_tenant_id_type_said_at_idx ON saegim.memory_11 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_12_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_12_tenant_id_forgotten_at_idx ON saegim.memory_12 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_12_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_12_tenant_id_importance_idx ON saegim.memory_12 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_12_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_12_tenant_id_member_id_profile_id_idx ON saegim.memory_12 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_12_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_12_tenant_id_superseded_by_idx ON saegim.memory_12 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_12_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_12_tenant_id_type_said_at_idx ON saegim.memory_12 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_13_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_13_tenant_id_forgotten_at_idx ON saegim.memory_13 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_13_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_13_tenant_id_importance_idx ON saegim.memory_13 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_13_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_13_tenant_id_member_id_profile_id_idx ON saegim.memory_13 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_13_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_13_tenant_id_superseded_by_idx ON saegim.memory_13 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_13_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_13_tenant_id_type_said_at_idx ON saegim.memory_13 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_14_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_14_tenant_id_forgotten_at_idx ON saegim.memory_14 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_14_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_14_tenant_id_importance_idx ON saegim.memory_14 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_14_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_14_tenant_id_member_id_profile_id_idx ON saegim.memory_14 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_14_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_14_tenant_id_superseded_by_idx ON saegim.memory_14 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_14_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_14_tenant_id_type_said_at_idx ON saegim.memory_14 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_15_tenant_id_forgotten_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_15_tenant_id_forgotten_at_idx ON saegim.memory_15 USING btree (tenant_id, forgotten_at) WHERE (forgotten_at IS NOT NULL);


--
-- Name: memory_15_tenant_id_importance_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_15_tenant_id_importance_idx ON saegim.memory_15 USING btree (tenant_id, importance) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_15_tenant_id_member_id_profile_id_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_15_tenant_id_member_id_profile_id_idx ON saegim.memory_15 USING btree (tenant_id, member_id, profile_id) WHERE ((core OR pinned) AND (forgotten_at IS NULL));


--
-- Name: memory_15_tenant_id_superseded_by_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_15_tenant_id_superseded_by_idx ON saegim.memory_15 USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);


--
-- Name: memory_15_tenant_id_type_said_at_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_15_tenant_id_type_said_at_idx ON saegim.memory_15 USING btree (tenant_id, type, said_at) WHERE ((forgotten_at IS NULL) AND (NOT core) AND (NOT pinned));


--
-- Name: memory_vector_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_tenant_id_member_id_profile_id_changed_idx ON ONLY saegim.memory_vector USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_00_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_00_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_00 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_01_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_01_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_01 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_02_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_02_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_02 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_03_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_03_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_03 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_04_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_04_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_04 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_05_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_05_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_05 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_06_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_06_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_06 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_07_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_07_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_07 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_08_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_08_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_08 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_09_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_09_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_09 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_10_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_10_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_10 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_11_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_11_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_11 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_12_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_12_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_12 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_13_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_13_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_13 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_14_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_14_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_14 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: memory_vector_15_tenant_id_member_id_profile_id_changed_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX memory_vector_15_tenant_id_member_id_profile_id_changed_idx ON saegim.memory_vector_15 USING btree (tenant_id, member_id, profile_id, changed) WHERE (changed > '0'::xid8);


--
-- Name: passage_of_document; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_of_document ON ONLY saegim.passage USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_00_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_00_tenant_id_document_id_ordinal_idx ON saegim.passage_00 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_of_section; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_of_section ON ONLY saegim.passage USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_00_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_00_tenant_id_section_id_ordinal_idx ON saegim.passage_00 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_01_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_01_tenant_id_document_id_ordinal_idx ON saegim.passage_01 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_01_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_01_tenant_id_section_id_ordinal_idx ON saegim.passage_01 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_02_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_02_tenant_id_document_id_ordinal_idx ON saegim.passage_02 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_02_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_02_tenant_id_section_id_ordinal_idx ON saegim.passage_02 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_03_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_03_tenant_id_document_id_ordinal_idx ON saegim.passage_03 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_03_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_03_tenant_id_section_id_ordinal_idx ON saegim.passage_03 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_04_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_04_tenant_id_document_id_ordinal_idx ON saegim.passage_04 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_04_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_04_tenant_id_section_id_ordinal_idx ON saegim.passage_04 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_05_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_05_tenant_id_document_id_ordinal_idx ON saegim.passage_05 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_05_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_05_tenant_id_section_id_ordinal_idx ON saegim.passage_05 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_06_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_06_tenant_id_document_id_ordinal_idx ON saegim.passage_06 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_06_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_06_tenant_id_section_id_ordinal_idx ON saegim.passage_06 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_07_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_07_tenant_id_document_id_ordinal_idx ON saegim.passage_07 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_07_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_07_tenant_id_section_id_ordinal_idx ON saegim.passage_07 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_08_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_08_tenant_id_document_id_ordinal_idx ON saegim.passage_08 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_08_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_08_tenant_id_section_id_ordinal_idx ON saegim.passage_08 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_09_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_09_tenant_id_document_id_ordinal_idx ON saegim.passage_09 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_09_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_09_tenant_id_section_id_ordinal_idx ON saegim.passage_09 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_10_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_10_tenant_id_document_id_ordinal_idx ON saegim.passage_10 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_10_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_10_tenant_id_section_id_ordinal_idx ON saegim.passage_10 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_11_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_11_tenant_id_document_id_ordinal_idx ON saegim.passage_11 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_11_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_11_tenant_id_section_id_ordinal_idx ON saegim.passage_11 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_12_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_12_tenant_id_document_id_ordinal_idx ON saegim.passage_12 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_12_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_12_tenant_id_section_id_ordinal_idx ON saegim.passage_12 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_13_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_13_tenant_id_document_id_ordinal_idx ON saegim.passage_13 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_13_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_13_tenant_id_section_id_ordinal_idx ON saegim.passage_13 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_14_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_14_tenant_id_document_id_ordinal_idx ON saegim.passage_14 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_14_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_14_tenant_id_section_id_ordinal_idx ON saegim.passage_14 USING btree (tenant_id, section_id, ordinal);


--
-- Name: passage_15_tenant_id_document_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_15_tenant_id_document_id_ordinal_idx ON saegim.passage_15 USING btree (tenant_id, document_id, ordinal);


--
-- Name: passage_15_tenant_id_section_id_ordinal_idx; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX passage_15_tenant_id_section_id_ordinal_idx ON saegim.passage_15 USING btree (tenant_id, section_id, ordinal);


--
-- Name: procrastinate_events_job_id_fkey_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX procrastinate_events_job_id_fkey_v1 ON saegim.procrastinate_events USING btree (job_id);


--
-- Name: procrastinate_jobs_id_lock_idx_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON saegim.procrastinate_jobs USING btree (id, lock) WHERE (status = ANY (ARRAY['todo'::saegim.procrastinate_job_status, 'doing'::saegim.procrastinate_job_status]));


--
-- Name: procrastinate_jobs_lock_idx_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON saegim.procrastinate_jobs USING btree (lock) WHERE (status = 'doing'::saegim.procrastinate_job_status);


--
-- Name: procrastinate_jobs_priority_idx_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX procrastinate_jobs_priority_idx_v1 ON saegim.procrastinate_jobs USING btree (priority DESC, id) WHERE (status = 'todo'::saegim.procrastinate_job_status);


--
-- Name: procrastinate_jobs_queue_name_idx_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON saegim.procrastinate_jobs USING btree (queue_name);


--
-- Name: procrastinate_jobs_queueing_lock_idx_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON saegim.procrastinate_jobs USING btree (queueing_lock) WHERE (status = 'todo'::saegim.procrastinate_job_status);


--
-- Name: procrastinate_periodic_defers_job_id_fkey_v1; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON saegim.procrastinate_periodic_defers USING btree (job_id);


--
-- Name: section_of_document; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX section_of_document ON saegim.section USING btree (tenant_id, document_id, ordinal);


--
-- Name: session_by_use; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX session_by_use ON saegim.session USING btree (tenant_id, used_at);


--
-- Name: session_summary_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX session_summary_by_person ON saegim.session_summary USING btree (tenant_id, member_id);


--
-- Name: sign_in_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX sign_in_by_person ON saegim.sign_in USING btree (tenant_id, member_id);


--
-- Name: turn_trace_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX turn_trace_by_person ON saegim.turn_trace USING btree (tenant_id, member_id);


--
-- Name: upload_by_time; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX upload_by_time ON saegim.ingest_file USING btree (tenant_id, updated_at) WHERE (state = 'receiving'::text);


--
-- Name: usage_event_by_person; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX usage_event_by_person ON saegim.usage_event USING btree (tenant_id, member_id);


--
-- Name: usage_event_by_time; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX usage_event_by_time ON saegim.usage_event USING btree (tenant_id, assistant_id, occurred_at);


--
-- Name: usage_event_of_tenant; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX usage_event_of_tenant ON saegim.usage_event USING btree (tenant_id, occurred_at);


--
-- Name: waiting_import; Type: INDEX; Schema: saegim; Owner: -
--

CREATE UNIQUE INDEX waiting_import ON saegim.memory_import USING btree (tenant_id, member_id, profile_id, digest) WHERE (body IS NOT NULL);


--
-- Name: webhook_delivery_by_hook; Type: INDEX; Schema: saegim; Owner: -
--

CREATE INDEX webhook_delivery_by_hook ON saegim.webhook_delivery USING btree (tenant_id, webhook_id, delivery_id);


--
-- Name: episode_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_00_pkey;


--
-- Name: episode_00_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_00_tenant_id_member_id_idx;


--
-- Name: episode_00_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_00_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_01_pkey;


--
-- Name: episode_01_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_01_tenant_id_member_id_idx;


--
-- Name: episode_01_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_01_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_02_pkey;


--
-- Name: episode_02_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_02_tenant_id_member_id_idx;


--
-- Name: episode_02_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_02_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_03_pkey;


--
-- Name: episode_03_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_03_tenant_id_member_id_idx;


--
-- Name: episode_03_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_03_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_04_pkey;


--
-- Name: episode_04_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_04_tenant_id_member_id_idx;


--
-- Name: episode_04_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_04_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_05_pkey;


--
-- Name: episode_05_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_05_tenant_id_member_id_idx;


--
-- Name: episode_05_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_05_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_06_pkey;


--
-- Name: episode_06_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_06_tenant_id_member_id_idx;


--
-- Name: episode_06_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_06_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_07_pkey;


--
-- Name: episode_07_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_07_tenant_id_member_id_idx;


--
-- Name: episode_07_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_07_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_08_pkey;


--
-- Name: episode_08_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_08_tenant_id_member_id_idx;


--
-- Name: episode_08_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_08_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_09_pkey;


--
-- Name: episode_09_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_09_tenant_id_member_id_idx;


--
-- Name: episode_09_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_09_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_10_pkey;


--
-- Name: episode_10_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_10_tenant_id_member_id_idx;


--
-- Name: episode_10_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_10_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_11_pkey;


--
-- Name: episode_11_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_11_tenant_id_member_id_idx;


--
-- Name: episode_11_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_11_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_12_pkey;


--
-- Name: episode_12_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_12_tenant_id_member_id_idx;


--
-- Name: episode_12_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_12_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_13_pkey;


--
-- Name: episode_13_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_13_tenant_id_member_id_idx;


--
-- Name: episode_13_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_13_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_14_pkey;


--
-- Name: episode_14_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_14_tenant_id_member_id_idx;


--
-- Name: episode_14_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_14_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_pkey ATTACH PARTITION saegim.episode_15_pkey;


--
-- Name: episode_15_tenant_id_member_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_by_person ATTACH PARTITION saegim.episode_15_tenant_id_member_id_idx;


--
-- Name: episode_15_tenant_id_session_id_first_turn_last_turn_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_tenant_id_session_id_first_turn_last_turn_key ATTACH PARTITION saegim.episode_15_tenant_id_session_id_first_turn_last_turn_key;


--
-- Name: episode_vector_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_00_pkey;


--
-- Name: episode_vector_00_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_00_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_01_pkey;


--
-- Name: episode_vector_01_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_01_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_02_pkey;


--
-- Name: episode_vector_02_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_02_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_03_pkey;


--
-- Name: episode_vector_03_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_03_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_04_pkey;


--
-- Name: episode_vector_04_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_04_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_05_pkey;


--
-- Name: episode_vector_05_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_05_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_06_pkey;


--
-- Name: episode_vector_06_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_06_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_07_pkey;


--
-- Name: episode_vector_07_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_07_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_08_pkey;


--
-- Name: episode_vector_08_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_08_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_09_pkey;


--
-- Name: episode_vector_09_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_09_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_10_pkey;


--
-- Name: episode_vector_10_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_10_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_11_pkey;


--
-- Name: episode_vector_11_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_11_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_12_pkey;


--
-- Name: episode_vector_12_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_12_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_13_pkey;


--
-- Name: episode_vector_13_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_13_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_14_pkey;


--
-- Name: episode_vector_14_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_14_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: episode_vector_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_pkey ATTACH PARTITION saegim.episode_vector_15_pkey;


--
-- Name: episode_vector_15_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.episode_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.episode_vector_15_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: index_change_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_00_pkey;


--
-- Name: index_change_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_01_pkey;


--
-- Name: index_change_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_02_pkey;


--
-- Name: index_change_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_03_pkey;


--
-- Name: index_change_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_04_pkey;


--
-- Name: index_change_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_05_pkey;


--
-- Name: index_change_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_06_pkey;


--
-- Name: index_change_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_07_pkey;


--
-- Name: index_change_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_08_pkey;


--
-- Name: index_change_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_09_pkey;


--
-- Name: index_change_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_10_pkey;


--
-- Name: index_change_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_11_pkey;


--
-- Name: index_change_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_12_pkey;


--
-- Name: index_change_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_13_pkey;


--
-- Name: index_change_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_14_pkey;


--
-- Name: index_change_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.index_change_pkey ATTACH PARTITION saegim.index_change_15_pkey;


--
-- Name: memory_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_00_pkey;


--
-- Name: memory_00_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_00_tenant_id_forgotten_at_idx;


--
-- Name: memory_00_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_00_tenant_id_importance_idx;


--
-- Name: memory_00_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_00_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_00_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_00_tenant_id_natural_hash_key;


--
-- Name: memory_00_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_00_tenant_id_superseded_by_idx;


--
-- Name: memory_00_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_00_tenant_id_type_said_at_idx;


--
-- Name: memory_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_01_pkey;


--
-- Name: memory_01_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_01_tenant_id_forgotten_at_idx;


--
-- Name: memory_01_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_01_tenant_id_importance_idx;


--
-- Name: memory_01_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_01_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_01_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_01_tenant_id_natural_hash_key;


--
-- Name: memory_01_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_01_tenant_id_superseded_by_idx;


--
-- Name: memory_01_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_01_tenant_id_type_said_at_idx;


--
-- Name: memory_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_02_pkey;


--
-- Name: memory_02_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_02_tenant_id_forgotten_at_idx;


--
-- Name: memory_02_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_02_tenant_id_importance_idx;


--
-- Name: memory_02_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_02_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_02_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_02_tenant_id_natural_hash_key;


--
-- Name: memory_02_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_02_tenant_id_superseded_by_idx;


--
-- Name: memory_02_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_02_tenant_id_type_said_at_idx;


--
-- Name: memory_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_03_pkey;


--
-- Name: memory_03_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_03_tenant_id_forgotten_at_idx;


--
-- Name: memory_03_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_03_tenant_id_importance_idx;


--
-- Name: memory_03_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_03_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_03_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_03_tenant_id_natural_hash_key;


--
-- Name: memory_03_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_03_tenant_id_superseded_by_idx;


--
-- Name: memory_03_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_03_tenant_id_type_said_at_idx;


--
-- Name: memory_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_04_pkey;


--
-- Name: memory_04_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_04_tenant_id_forgotten_at_idx;


--
-- Name: memory_04_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_04_tenant_id_importance_idx;


--
-- Name: memory_04_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_04_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_04_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_04_tenant_id_natural_hash_key;


--
-- Name: memory_04_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_04_tenant_id_superseded_by_idx;


--
-- Name: memory_04_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_04_tenant_id_type_said_at_idx;


--
-- Name: memory_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_05_pkey;


--
-- Name: memory_05_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_05_tenant_id_forgotten_at_idx;


--
-- Name: memory_05_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_05_tenant_id_importance_idx;


--
-- Name: memory_05_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_05_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_05_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_05_tenant_id_natural_hash_key;


--
-- Name: memory_05_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_05_tenant_id_superseded_by_idx;


--
-- Name: memory_05_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_05_tenant_id_type_said_at_idx;


--
-- Name: memory_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_06_pkey;


--
-- Name: memory_06_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_06_tenant_id_forgotten_at_idx;


--
-- Name: memory_06_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_06_tenant_id_importance_idx;


--
-- Name: memory_06_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_06_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_06_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_06_tenant_id_natural_hash_key;


--
-- Name: memory_06_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_06_tenant_id_superseded_by_idx;


--
-- Name: memory_06_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_06_tenant_id_type_said_at_idx;


--
-- Name: memory_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_07_pkey;


--
-- Name: memory_07_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_07_tenant_id_forgotten_at_idx;


--
-- Name: memory_07_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_07_tenant_id_importance_idx;


--
-- Name: memory_07_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_07_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_07_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_07_tenant_id_natural_hash_key;


--
-- Name: memory_07_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_07_tenant_id_superseded_by_idx;


--
-- Name: memory_07_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_07_tenant_id_type_said_at_idx;


--
-- Name: memory_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_08_pkey;


--
-- Name: memory_08_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_08_tenant_id_forgotten_at_idx;


--
-- Name: memory_08_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_08_tenant_id_importance_idx;


--
-- Name: memory_08_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_08_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_08_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_08_tenant_id_natural_hash_key;


--
-- Name: memory_08_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_08_tenant_id_superseded_by_idx;


--
-- Name: memory_08_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_08_tenant_id_type_said_at_idx;


--
-- Name: memory_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_09_pkey;


--
-- Name: memory_09_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_09_tenant_id_forgotten_at_idx;


--
-- Name: memory_09_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_09_tenant_id_importance_idx;


--
-- Name: memory_09_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_09_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_09_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_09_tenant_id_natural_hash_key;


--
-- Name: memory_09_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_09_tenant_id_superseded_by_idx;


--
-- Name: memory_09_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_09_tenant_id_type_said_at_idx;


--
-- Name: memory_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_10_pkey;


--
-- Name: memory_10_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_10_tenant_id_forgotten_at_idx;


--
-- Name: memory_10_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_10_tenant_id_importance_idx;


--
-- Name: memory_10_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_10_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_10_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_10_tenant_id_natural_hash_key;


--
-- Name: memory_10_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_10_tenant_id_superseded_by_idx;


--
-- Name: memory_10_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_10_tenant_id_type_said_at_idx;


--
-- Name: memory_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_11_pkey;


--
-- Name: memory_11_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_11_tenant_id_forgotten_at_idx;


--
-- Name: memory_11_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_11_tenant_id_importance_idx;


--
-- Name: memory_11_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_11_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_11_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_11_tenant_id_natural_hash_key;


--
-- Name: memory_11_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_11_tenant_id_superseded_by_idx;


--
-- Name: memory_11_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_11_tenant_id_type_said_at_idx;


--
-- Name: memory_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_12_pkey;


--
-- Name: memory_12_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_12_tenant_id_forgotten_at_idx;


--
-- Name: memory_12_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_12_tenant_id_importance_idx;


--
-- Name: memory_12_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_12_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_12_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_12_tenant_id_natural_hash_key;


--
-- Name: memory_12_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_12_tenant_id_superseded_by_idx;


--
-- Name: memory_12_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_12_tenant_id_type_said_at_idx;


--
-- Name: memory_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_13_pkey;


--
-- Name: memory_13_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_13_tenant_id_forgotten_at_idx;


--
-- Name: memory_13_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_13_tenant_id_importance_idx;


--
-- Name: memory_13_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_13_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_13_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_13_tenant_id_natural_hash_key;


--
-- Name: memory_13_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_13_tenant_id_superseded_by_idx;


--
-- Name: memory_13_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_13_tenant_id_type_said_at_idx;


--
-- Name: memory_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_14_pkey;


--
-- Name: memory_14_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_14_tenant_id_forgotten_at_idx;


--
-- Name: memory_14_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_14_tenant_id_importance_idx;


--
-- Name: memory_14_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_14_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_14_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_14_tenant_id_natural_hash_key;


--
-- Name: memory_14_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_14_tenant_id_superseded_by_idx;


--
-- Name: memory_14_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_14_tenant_id_type_said_at_idx;


--
-- Name: memory_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_pkey ATTACH PARTITION saegim.memory_15_pkey;


--
-- Name: memory_15_tenant_id_forgotten_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_forgotten ATTACH PARTITION saegim.memory_15_tenant_id_forgotten_at_idx;


--
-- Name: memory_15_tenant_id_importance_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_weight ATTACH PARTITION saegim.memory_15_tenant_id_importance_idx;


--
-- Name: memory_15_tenant_id_member_id_profile_id_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_kept ATTACH PARTITION saegim.memory_15_tenant_id_member_id_profile_id_idx;


--
-- Name: memory_15_tenant_id_natural_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_tenant_id_natural_hash_key ATTACH PARTITION saegim.memory_15_tenant_id_natural_hash_key;


--
-- Name: memory_15_tenant_id_superseded_by_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_successor ATTACH PARTITION saegim.memory_15_tenant_id_superseded_by_idx;


--
-- Name: memory_15_tenant_id_type_said_at_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_by_age ATTACH PARTITION saegim.memory_15_tenant_id_type_said_at_idx;


--
-- Name: memory_vector_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_00_pkey;


--
-- Name: memory_vector_00_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_00_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_01_pkey;


--
-- Name: memory_vector_01_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_01_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_02_pkey;


--
-- Name: memory_vector_02_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_02_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_03_pkey;


--
-- Name: memory_vector_03_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_03_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_04_pkey;


--
-- Name: memory_vector_04_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_04_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_05_pkey;


--
-- Name: memory_vector_05_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_05_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_06_pkey;


--
-- Name: memory_vector_06_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_06_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_07_pkey;


--
-- Name: memory_vector_07_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_07_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_08_pkey;


--
-- Name: memory_vector_08_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_08_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_09_pkey;


--
-- Name: memory_vector_09_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_09_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_10_pkey;


--
-- Name: memory_vector_10_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_10_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_11_pkey;


--
-- Name: memory_vector_11_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_11_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_12_pkey;


--
-- Name: memory_vector_12_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_12_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_13_pkey;


--
-- Name: memory_vector_13_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_13_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_14_pkey;


--
-- Name: memory_vector_14_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_14_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_vector_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_pkey ATTACH PARTITION saegim.memory_vector_15_pkey;


--
-- Name: memory_vector_15_tenant_id_member_id_profile_id_changed_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_vector_tenant_id_member_id_profile_id_changed_idx ATTACH PARTITION saegim.memory_vector_15_tenant_id_member_id_profile_id_changed_idx;


--
-- Name: memory_version_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_00_pkey;


--
-- Name: memory_version_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_01_pkey;


--
-- Name: memory_version_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_02_pkey;


--
-- Name: memory_version_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_03_pkey;


--
-- Name: memory_version_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_04_pkey;


--
-- Name: memory_version_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_05_pkey;


--
-- Name: memory_version_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_06_pkey;


--
-- Name: memory_version_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_07_pkey;


--
-- Name: memory_version_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_08_pkey;


--
-- Name: memory_version_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_09_pkey;


--
-- Name: memory_version_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_10_pkey;


--
-- Name: memory_version_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_11_pkey;


--
-- Name: memory_version_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_12_pkey;


--
-- Name: memory_version_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_13_pkey;


--
-- Name: memory_version_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_14_pkey;


--
-- Name: memory_version_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.memory_version_pkey ATTACH PARTITION saegim.memory_version_15_pkey;


--
-- Name: passage_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_00_pkey;


--
-- Name: passage_00_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_00_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_00_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_00_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_01_pkey;


--
-- Name: passage_01_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_01_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_01_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_01_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_02_pkey;


--
-- Name: passage_02_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_02_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_02_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_02_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_03_pkey;


--
-- Name: passage_03_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_03_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_03_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_03_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_04_pkey;


--
-- Name: passage_04_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_04_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_04_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_04_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_05_pkey;


--
-- Name: passage_05_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_05_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_05_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_05_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_06_pkey;


--
-- Name: passage_06_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_06_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_06_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_06_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_07_pkey;


--
-- Name: passage_07_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_07_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_07_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_07_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_08_pkey;


--
-- Name: passage_08_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_08_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_08_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_08_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_09_pkey;


--
-- Name: passage_09_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_09_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_09_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_09_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_10_pkey;


--
-- Name: passage_10_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_10_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_10_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_10_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_11_pkey;


--
-- Name: passage_11_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_11_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_11_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_11_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_12_pkey;


--
-- Name: passage_12_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_12_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_12_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_12_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_13_pkey;


--
-- Name: passage_13_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_13_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_13_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_13_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_14_pkey;


--
-- Name: passage_14_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_14_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_14_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_14_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_pkey ATTACH PARTITION saegim.passage_15_pkey;


--
-- Name: passage_15_tenant_id_document_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_document ATTACH PARTITION saegim.passage_15_tenant_id_document_id_ordinal_idx;


--
-- Name: passage_15_tenant_id_section_id_ordinal_idx; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_of_section ATTACH PARTITION saegim.passage_15_tenant_id_section_id_ordinal_idx;


--
-- Name: passage_vector_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_00_pkey;


--
-- Name: passage_vector_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_01_pkey;


--
-- Name: passage_vector_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_02_pkey;


--
-- Name: passage_vector_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_03_pkey;


--
-- Name: passage_vector_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_04_pkey;


--
-- Name: passage_vector_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_05_pkey;


--
-- Name: passage_vector_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_06_pkey;


--
-- Name: passage_vector_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_07_pkey;


--
-- Name: passage_vector_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_08_pkey;


--
-- Name: passage_vector_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_09_pkey;


--
-- Name: passage_vector_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_10_pkey;


--
-- Name: passage_vector_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_11_pkey;


--
-- Name: passage_vector_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_12_pkey;


--
-- Name: passage_vector_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_13_pkey;


--
-- Name: passage_vector_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_14_pkey;


--
-- Name: passage_vector_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.passage_vector_pkey ATTACH PARTITION saegim.passage_vector_15_pkey;


--
-- Name: term_count_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_00_pkey;


--
-- Name: term_count_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_01_pkey;


--
-- Name: term_count_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_02_pkey;


--
-- Name: term_count_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_03_pkey;


--
-- Name: term_count_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_04_pkey;


--
-- Name: term_count_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_05_pkey;


--
-- Name: term_count_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_06_pkey;


--
-- Name: term_count_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_07_pkey;


--
-- Name: term_count_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_08_pkey;


--
-- Name: term_count_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_09_pkey;


--
-- Name: term_count_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_10_pkey;


--
-- Name: term_count_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_11_pkey;


--
-- Name: term_count_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_12_pkey;


--
-- Name: term_count_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_13_pkey;


--
-- Name: term_count_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_14_pkey;


--
-- Name: term_count_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.term_count_pkey ATTACH PARTITION saegim.term_count_15_pkey;


--
-- Name: turn_00_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_00_pkey;


--
-- Name: turn_00_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_00_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_00_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_00_tenant_id_session_id_number_key;


--
-- Name: turn_01_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_01_pkey;


--
-- Name: turn_01_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_01_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_01_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_01_tenant_id_session_id_number_key;


--
-- Name: turn_02_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_02_pkey;


--
-- Name: turn_02_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_02_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_02_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_02_tenant_id_session_id_number_key;


--
-- Name: turn_03_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_03_pkey;


--
-- Name: turn_03_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_03_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_03_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_03_tenant_id_session_id_number_key;


--
-- Name: turn_04_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_04_pkey;


--
-- Name: turn_04_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_04_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_04_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_04_tenant_id_session_id_number_key;


--
-- Name: turn_05_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_05_pkey;


--
-- Name: turn_05_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_05_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_05_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_05_tenant_id_session_id_number_key;


--
-- Name: turn_06_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_06_pkey;


--
-- Name: turn_06_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_06_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_06_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_06_tenant_id_session_id_number_key;


--
-- Name: turn_07_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_07_pkey;


--
-- Name: turn_07_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_07_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_07_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_07_tenant_id_session_id_number_key;


--
-- Name: turn_08_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_08_pkey;


--
-- Name: turn_08_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_08_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_08_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_08_tenant_id_session_id_number_key;


--
-- Name: turn_09_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_09_pkey;


--
-- Name: turn_09_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_09_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_09_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_09_tenant_id_session_id_number_key;


--
-- Name: turn_10_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_10_pkey;


--
-- Name: turn_10_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_10_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_10_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_10_tenant_id_session_id_number_key;


--
-- Name: turn_11_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_11_pkey;


--
-- Name: turn_11_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_11_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_11_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_11_tenant_id_session_id_number_key;


--
-- Name: turn_12_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_12_pkey;


--
-- Name: turn_12_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_12_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_12_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_12_tenant_id_session_id_number_key;


--
-- Name: turn_13_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_13_pkey;


--
-- Name: turn_13_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_13_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_13_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_13_tenant_id_session_id_number_key;


--
-- Name: turn_14_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_14_pkey;


--
-- Name: turn_14_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_14_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_14_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_14_tenant_id_session_id_number_key;


--
-- Name: turn_15_pkey; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_pkey ATTACH PARTITION saegim.turn_15_pkey;


--
-- Name: turn_15_tenant_id_member_id_idempotency_hash_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_member_id_idempotency_hash_key ATTACH PARTITION saegim.turn_15_tenant_id_member_id_idempotency_hash_key;


--
-- Name: turn_15_tenant_id_session_id_number_key; Type: INDEX ATTACH; Schema: saegim; Owner: -
--

ALTER INDEX saegim.turn_tenant_id_session_id_number_key ATTACH PARTITION saegim.turn_15_tenant_id_session_id_number_key;


--
-- Name: index_state count_embedder_use; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER count_embedder_use AFTER INSERT OR DELETE OR UPDATE OF embedder ON saegim.index_state FOR EACH ROW EXECUTE FUNCTION saegim.count_embedder_use();


--
-- Name: audit_event keep_audit_event; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER keep_audit_event BEFORE DELETE OR UPDATE ON saegim.audit_event FOR EACH ROW EXECUTE FUNCTION saegim.keep_audit_event();


--
-- Name: episode_vector note_change; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER note_change BEFORE INSERT OR UPDATE ON saegim.episode_vector FOR EACH ROW EXECUTE FUNCTION saegim.note_change();

ALTER TABLE saegim.episode_vector ENABLE ALWAYS TRIGGER note_change;


--
-- Name: memory_vector note_change; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER note_change BEFORE INSERT OR UPDATE ON saegim.memory_vector FOR EACH ROW EXECUTE FUNCTION saegim.note_change();

ALTER TABLE saegim.memory_vector ENABLE ALWAYS TRIGGER note_change;


--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_aborted_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON saegim.procrastinate_jobs FOR EACH ROW WHEN (((old.abort_requested = false) AND (new.abort_requested = true) AND (new.status = 'doing'::saegim.procrastinate_job_status))) EXECUTE FUNCTION saegim.procrastinate_notify_queue_abort_job_v1();


--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_inserted_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON saegim.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::saegim.procrastinate_job_status)) EXECUTE FUNCTION saegim.procrastinate_notify_queue_job_inserted_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_abort_requested_events_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON saegim.procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE FUNCTION saegim.procrastinate_trigger_abort_requested_events_procedure_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_delete_jobs_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON saegim.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION saegim.procrastinate_unlink_periodic_defers_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_scheduled_events_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER INSERT OR UPDATE ON saegim.procrastinate_jobs FOR EACH ROW WHEN (((new.scheduled_at IS NOT NULL) AND (new.status = 'todo'::saegim.procrastinate_job_status))) EXECUTE FUNCTION saegim.procrastinate_trigger_function_scheduled_events_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_insert_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON saegim.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::saegim.procrastinate_job_status)) EXECUTE FUNCTION saegim.procrastinate_trigger_function_status_events_insert_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_update_v1; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON saegim.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION saegim.procrastinate_trigger_function_status_events_update_v1();


--
-- Name: procrastinate_jobs wake_workers_after_delete; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER wake_workers_after_delete AFTER DELETE ON saegim.procrastinate_jobs FOR EACH ROW WHEN (((old.status = 'doing'::saegim.procrastinate_job_status) AND (old.lock IS NOT NULL))) EXECUTE FUNCTION saegim.wake_workers();


--
-- Name: procrastinate_jobs wake_workers_after_update; Type: TRIGGER; Schema: saegim; Owner: -
--

CREATE TRIGGER wake_workers_after_update AFTER UPDATE OF status, scheduled_at ON saegim.procrastinate_jobs FOR EACH ROW WHEN ((((old.status = 'doing'::saegim.procrastinate_job_status) AND (new.status <> 'doing'::saegim.procrastinate_job_status) AND (old.lock IS NOT NULL)) OR ((new.status = 'todo'::saegim.procrastinate_job_status) AND (new.scheduled_at IS NULL) AND ((old.status <> 'todo'::saegim.procrastinate_job_status) OR (old.scheduled_at IS NOT NULL))))) EXECUTE FUNCTION saegim.wake_workers();


--
-- Name: app_key app_key_tenant_id_assistant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.app_key
    ADD CONSTRAINT app_key_tenant_id_assistant_id_fkey FOREIGN KEY (tenant_id, assistant_id) REFERENCES saegim.assistant(tenant_id, assistant_id);


--
-- Name: app_key app_key_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.app_key
    ADD CONSTRAINT app_key_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: app_key app_key_tenant_id_member_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.app_key
    ADD CONSTRAINT app_key_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES saegim.member(tenant_id, member_id);


--
-- Name: assistant_collection assistant_collection_tenant_id_assistant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant_collection
    ADD CONSTRAINT assistant_collection_tenant_id_assistant_id_fkey FOREIGN KEY (tenant_id, assistant_id) REFERENCES saegim.assistant(tenant_id, assistant_id) ON DELETE CASCADE;


--
-- Name: assistant_collection assistant_collection_tenant_id_collection_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant_collection
    ADD CONSTRAINT assistant_collection_tenant_id_collection_id_fkey FOREIGN KEY (tenant_id, collection_id) REFERENCES saegim.collection(tenant_id, collection_id) ON DELETE CASCADE;


--
-- Name: assistant assistant_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant
    ADD CONSTRAINT assistant_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: assistant_version assistant_version_tenant_id_assistant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.assistant_version
    ADD CONSTRAINT assistant_version_tenant_id_assistant_id_fkey FOREIGN KEY (tenant_id, assistant_id) REFERENCES saegim.assistant(tenant_id, assistant_id) ON DELETE CASCADE;


--
-- Name: audit_seal audit_seal_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.audit_seal
    ADD CONSTRAINT audit_seal_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: collection collection_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.collection
    ADD CONSTRAINT collection_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: document document_tenant_id_collection_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.document
    ADD CONSTRAINT document_tenant_id_collection_id_fkey FOREIGN KEY (tenant_id, collection_id) REFERENCES saegim.collection(tenant_id, collection_id);


--
-- Name: document document_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.document
    ADD CONSTRAINT document_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: episode_vector episode_vector_tenant_id_episode_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector
    ADD CONSTRAINT episode_vector_tenant_id_episode_id_fkey FOREIGN KEY (tenant_id, episode_id) REFERENCES saegim.episode(tenant_id, episode_id) ON DELETE CASCADE;


--
-- Name: erasure erasure_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.erasure
    ADD CONSTRAINT erasure_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: file_part file_part_tenant_id_file_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.file_part
    ADD CONSTRAINT file_part_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES saegim.ingest_file(tenant_id, file_id) ON DELETE CASCADE;


--
-- Name: guild_activity guild_activity_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_activity
    ADD CONSTRAINT guild_activity_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: guild_channel guild_channel_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_channel
    ADD CONSTRAINT guild_channel_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: guild_notice guild_notice_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild_notice
    ADD CONSTRAINT guild_notice_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: guild guild_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.guild
    ADD CONSTRAINT guild_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: identity identity_tenant_id_member_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.identity
    ADD CONSTRAINT identity_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES saegim.member(tenant_id, member_id);


--
-- Name: index_build index_build_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_build
    ADD CONSTRAINT index_build_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: index_state index_state_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.index_state
    ADD CONSTRAINT index_state_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: ingest_file ingest_file_tenant_id_ingest_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ingest_file
    ADD CONSTRAINT ingest_file_tenant_id_ingest_id_fkey FOREIGN KEY (tenant_id, ingest_id) REFERENCES saegim.ingest(tenant_id, ingest_id) ON DELETE CASCADE;


--
-- Name: ingest ingest_tenant_id_collection_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ingest
    ADD CONSTRAINT ingest_tenant_id_collection_id_fkey FOREIGN KEY (tenant_id, collection_id) REFERENCES saegim.collection(tenant_id, collection_id);


--
-- Name: issuer issuer_tenant_id_assistant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.issuer
    ADD CONSTRAINT issuer_tenant_id_assistant_id_fkey FOREIGN KEY (tenant_id, assistant_id) REFERENCES saegim.assistant(tenant_id, assistant_id);


--
-- Name: issuer issuer_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.issuer
    ADD CONSTRAINT issuer_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: job_failure job_failure_job_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.job_failure
    ADD CONSTRAINT job_failure_job_id_fkey FOREIGN KEY (job_id) REFERENCES saegim.procrastinate_jobs(id) ON DELETE CASCADE;


--
-- Name: link_code link_code_tenant_id_member_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.link_code
    ADD CONSTRAINT link_code_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES saegim.member(tenant_id, member_id);


--
-- Name: member member_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.member
    ADD CONSTRAINT member_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: memory_import memory_import_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.memory_import
    ADD CONSTRAINT memory_import_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: memory_vector memory_vector_tenant_id_member_id_profile_id_memory_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector
    ADD CONSTRAINT memory_vector_tenant_id_member_id_profile_id_memory_id_fkey FOREIGN KEY (tenant_id, member_id, profile_id, memory_id) REFERENCES saegim.memory(tenant_id, member_id, profile_id, memory_id) ON DELETE CASCADE;


--
-- Name: memory_version memory_version_tenant_id_member_id_profile_id_memory_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version
    ADD CONSTRAINT memory_version_tenant_id_member_id_profile_id_memory_id_fkey FOREIGN KEY (tenant_id, member_id, profile_id, memory_id) REFERENCES saegim.memory(tenant_id, member_id, profile_id, memory_id) ON DELETE CASCADE;


--
-- Name: passage passage_tenant_id_document_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage
    ADD CONSTRAINT passage_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES saegim.document(tenant_id, document_id) ON DELETE CASCADE;


--
-- Name: passage_vector passage_vector_tenant_id_passage_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector
    ADD CONSTRAINT passage_vector_tenant_id_passage_id_fkey FOREIGN KEY (tenant_id, passage_id) REFERENCES saegim.passage(tenant_id, passage_id) ON DELETE CASCADE;


--
-- Name: procrastinate_events procrastinate_events_job_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_events
    ADD CONSTRAINT procrastinate_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES saegim.procrastinate_jobs(id) ON DELETE CASCADE;


--
-- Name: procrastinate_jobs procrastinate_jobs_worker_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES saegim.procrastinate_workers(id) ON DELETE SET NULL;


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_job_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_job_id_fkey FOREIGN KEY (job_id) REFERENCES saegim.procrastinate_jobs(id);


--
-- Name: profile profile_tenant_id_member_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.profile
    ADD CONSTRAINT profile_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES saegim.member(tenant_id, member_id);


--
-- Name: ranking ranking_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.ranking
    ADD CONSTRAINT ranking_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: reembed reembed_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.reembed
    ADD CONSTRAINT reembed_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: retired_index retired_index_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.retired_index
    ADD CONSTRAINT retired_index_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: section section_tenant_id_document_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.section
    ADD CONSTRAINT section_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES saegim.document(tenant_id, document_id) ON DELETE CASCADE;


--
-- Name: session_summary session_summary_tenant_id_session_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session_summary
    ADD CONSTRAINT session_summary_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES saegim.session(tenant_id, session_id) ON DELETE CASCADE;


--
-- Name: session session_tenant_id_assistant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session
    ADD CONSTRAINT session_tenant_id_assistant_id_fkey FOREIGN KEY (tenant_id, assistant_id) REFERENCES saegim.assistant(tenant_id, assistant_id);


--
-- Name: session session_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session
    ADD CONSTRAINT session_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: session session_tenant_id_profile_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.session
    ADD CONSTRAINT session_tenant_id_profile_id_fkey FOREIGN KEY (tenant_id, profile_id) REFERENCES saegim.profile(tenant_id, profile_id);


--
-- Name: sign_in sign_in_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.sign_in
    ADD CONSTRAINT sign_in_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: source_item source_item_tenant_id_source_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.source_item
    ADD CONSTRAINT source_item_tenant_id_source_id_fkey FOREIGN KEY (tenant_id, source_id) REFERENCES saegim.source(tenant_id, source_id) ON DELETE CASCADE;


--
-- Name: source source_tenant_id_collection_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.source
    ADD CONSTRAINT source_tenant_id_collection_id_fkey FOREIGN KEY (tenant_id, collection_id) REFERENCES saegim.collection(tenant_id, collection_id);


--
-- Name: tenant_move tenant_move_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.tenant_move
    ADD CONSTRAINT tenant_move_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant_directory(tenant_id);


--
-- Name: turn turn_tenant_id_session_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn
    ADD CONSTRAINT turn_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES saegim.session(tenant_id, session_id);


--
-- Name: usage_event usage_event_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.usage_event
    ADD CONSTRAINT usage_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: usage_limit usage_limit_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.usage_limit
    ADD CONSTRAINT usage_limit_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: webhook_delivery webhook_delivery_tenant_id_webhook_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.webhook_delivery
    ADD CONSTRAINT webhook_delivery_tenant_id_webhook_id_fkey FOREIGN KEY (tenant_id, webhook_id) REFERENCES saegim.webhook(tenant_id, webhook_id) ON DELETE CASCADE;


--
-- Name: webhook webhook_tenant_id_fkey; Type: FK CONSTRAINT; Schema: saegim; Owner: -
--

ALTER TABLE ONLY saegim.webhook
    ADD CONSTRAINT webhook_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES saegim.tenant(tenant_id);


--
-- Name: app_key; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.app_key ENABLE ROW LEVEL SECURITY;

--
-- Name: assistant; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.assistant ENABLE ROW LEVEL SECURITY;

--
-- Name: assistant_collection; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.assistant_collection ENABLE ROW LEVEL SECURITY;

--
-- Name: assistant_version; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.assistant_version ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_event; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.audit_event ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_seal; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.audit_seal ENABLE ROW LEVEL SECURITY;

--
-- Name: collection; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.collection ENABLE ROW LEVEL SECURITY;

--
-- Name: consent; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.consent ENABLE ROW LEVEL SECURITY;

--
-- Name: digest; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.digest ENABLE ROW LEVEL SECURITY;

--
-- Name: document; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.document ENABLE ROW LEVEL SECURITY;

--
-- Name: episode; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: episode_vector_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.episode_vector_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: erasure; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.erasure ENABLE ROW LEVEL SECURITY;

--
-- Name: extraction; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.extraction ENABLE ROW LEVEL SECURITY;

--
-- Name: feedback; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.feedback ENABLE ROW LEVEL SECURITY;

--
-- Name: file_part; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.file_part ENABLE ROW LEVEL SECURITY;

--
-- Name: guild; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.guild ENABLE ROW LEVEL SECURITY;

--
-- Name: guild_activity; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.guild_activity ENABLE ROW LEVEL SECURITY;

--
-- Name: guild_channel; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.guild_channel ENABLE ROW LEVEL SECURITY;

--
-- Name: guild_notice; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.guild_notice ENABLE ROW LEVEL SECURITY;

--
-- Name: identity; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.identity ENABLE ROW LEVEL SECURITY;

--
-- Name: index_build; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_build ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_change_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_change_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: index_state; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.index_state ENABLE ROW LEVEL SECURITY;

--
-- Name: ingest; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.ingest ENABLE ROW LEVEL SECURITY;

--
-- Name: ingest_file; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.ingest_file ENABLE ROW LEVEL SECURITY;

--
-- Name: issuer; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.issuer ENABLE ROW LEVEL SECURITY;

--
-- Name: link_code; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.link_code ENABLE ROW LEVEL SECURITY;

--
-- Name: member; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.member ENABLE ROW LEVEL SECURITY;

--
-- Name: memory; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_import; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_import ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_vector_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_vector_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: memory_version_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.memory_version_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: passage_vector_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.passage_vector_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: profile; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.profile ENABLE ROW LEVEL SECURITY;

--
-- Name: ranking; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.ranking ENABLE ROW LEVEL SECURITY;

--
-- Name: reembed; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.reembed ENABLE ROW LEVEL SECURITY;

--
-- Name: retired_index; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.retired_index ENABLE ROW LEVEL SECURITY;

--
-- Name: section; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.section ENABLE ROW LEVEL SECURITY;

--
-- Name: session; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.session ENABLE ROW LEVEL SECURITY;

--
-- Name: session_summary; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.session_summary ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.sign_in ENABLE ROW LEVEL SECURITY;

--
-- Name: source; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.source ENABLE ROW LEVEL SECURITY;

--
-- Name: source_item; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.source_item ENABLE ROW LEVEL SECURITY;

--
-- Name: tenant; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.tenant ENABLE ROW LEVEL SECURITY;

--
-- Name: tenant_directory; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.tenant_directory ENABLE ROW LEVEL SECURITY;

--
-- Name: app_key tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.app_key USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: assistant tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.assistant USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: assistant_collection tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.assistant_collection USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: assistant_version tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.assistant_version USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: audit_event tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.audit_event USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: audit_seal tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.audit_seal USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: collection tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.collection USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: consent tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.consent USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: digest tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.digest USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: document tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.document USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: episode_vector_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.episode_vector_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: erasure tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.erasure USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: extraction tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.extraction USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: feedback tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.feedback USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: file_part tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.file_part USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: guild tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.guild USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: guild_activity tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.guild_activity USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: guild_channel tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.guild_channel USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: guild_notice tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.guild_notice USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: identity tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.identity USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_build tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_build USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_change_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_change_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: index_state tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.index_state USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: ingest tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.ingest USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: ingest_file tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.ingest_file USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: issuer tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.issuer USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: link_code tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.link_code USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: member tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.member USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_import tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_import USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_vector_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_vector_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: memory_version_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.memory_version_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: passage_vector_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.passage_vector_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: profile tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.profile USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: ranking tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.ranking USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: reembed tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.reembed USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: retired_index tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.retired_index USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: section tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.section USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: session tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.session USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: session_summary tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.session_summary USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: sign_in tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.sign_in USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: source tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.source USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: source_item tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.source_item USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: tenant tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.tenant USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: tenant_directory tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.tenant_directory USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: tenant_move tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.tenant_move USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: term_count_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.term_count_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_00 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_00 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_01 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_01 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_02 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_02 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_03 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_03 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_04 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_04 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_05 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_05 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_06 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_06 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_07 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_07 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_08 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_08 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_09 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_09 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_10 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_10 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_11 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_11 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_12 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_12 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_13 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_13 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_14 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_14 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_15 tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_15 USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: turn_trace tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.turn_trace USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: usage_event tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.usage_event USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: usage_limit tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.usage_limit USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: webhook tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.webhook USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: webhook_delivery tenant_fence; Type: POLICY; Schema: saegim; Owner: -
--

CREATE POLICY tenant_fence ON saegim.webhook_delivery USING ((tenant_id = (current_setting('app.tenant'::text))::uuid)) WITH CHECK ((tenant_id = (current_setting('app.tenant'::text))::uuid));


--
-- Name: tenant_move; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.tenant_move ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: term_count_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.term_count_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_00; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_00 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_01; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_01 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_02; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_02 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_03; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_03 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_04; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_04 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_05; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_05 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_06; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_06 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_07; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_07 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_08; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_08 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_09; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_09 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_10; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_10 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_11; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_11 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_12; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_12 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_13; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_13 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_14; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_14 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_15; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_15 ENABLE ROW LEVEL SECURITY;

--
-- Name: turn_trace; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.turn_trace ENABLE ROW LEVEL SECURITY;

--
-- Name: usage_event; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.usage_event ENABLE ROW LEVEL SECURITY;

--
-- Name: usage_limit; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.usage_limit ENABLE ROW LEVEL SECURITY;

--
-- Name: webhook; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.webhook ENABLE ROW LEVEL SECURITY;

--
-- Name: webhook_delivery; Type: ROW SECURITY; Schema: saegim; Owner: -
--

ALTER TABLE saegim.webhook_delivery ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA saegim; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA saegim TO saegim_app;


--
-- Name: TABLE procrastinate_jobs; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.procrastinate_jobs TO saegim_app;


--
-- Name: TABLE app_key; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.app_key TO saegim_app;


--
-- Name: TABLE assistant; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.assistant TO saegim_app;


--
-- Name: TABLE assistant_collection; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.assistant_collection TO saegim_app;


--
-- Name: TABLE assistant_version; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.assistant_version TO saegim_app;


--
-- Name: TABLE audit_event; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT ON TABLE saegim.audit_event TO saegim_app;


--
-- Name: COLUMN audit_event.reason; Type: ACL; Schema: saegim; Owner: -
--

GRANT UPDATE(reason) ON TABLE saegim.audit_event TO saegim_app;


--
-- Name: COLUMN audit_event.sealed_in; Type: ACL; Schema: saegim; Owner: -
--

GRANT UPDATE(sealed_in) ON TABLE saegim.audit_event TO saegim_app;


--
-- Name: COLUMN audit_event.reason_digest; Type: ACL; Schema: saegim; Owner: -
--

GRANT UPDATE(reason_digest) ON TABLE saegim.audit_event TO saegim_app;


--
-- Name: TABLE audit_seal; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT ON TABLE saegim.audit_seal TO saegim_app;


--
-- Name: TABLE collection; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.collection TO saegim_app;


--
-- Name: TABLE consent; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.consent TO saegim_app;


--
-- Name: TABLE digest; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.digest TO saegim_app;


--
-- Name: TABLE document; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.document TO saegim_app;


--
-- Name: TABLE embedder_use; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.embedder_use TO saegim_app;


--
-- Name: TABLE episode; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode TO saegim_app;


--
-- Name: TABLE episode_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_00 TO saegim_app;


--
-- Name: TABLE episode_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_01 TO saegim_app;


--
-- Name: TABLE episode_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_02 TO saegim_app;


--
-- Name: TABLE episode_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_03 TO saegim_app;


--
-- Name: TABLE episode_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_04 TO saegim_app;


--
-- Name: TABLE episode_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_05 TO saegim_app;


--
-- Name: TABLE episode_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_06 TO saegim_app;


--
-- Name: TABLE episode_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_07 TO saegim_app;


--
-- Name: TABLE episode_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_08 TO saegim_app;


--
-- Name: TABLE episode_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_09 TO saegim_app;


--
-- Name: TABLE episode_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_10 TO saegim_app;


--
-- Name: TABLE episode_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_11 TO saegim_app;


--
-- Name: TABLE episode_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_12 TO saegim_app;


--
-- Name: TABLE episode_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_13 TO saegim_app;


--
-- Name: TABLE episode_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_14 TO saegim_app;


--
-- Name: TABLE episode_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_15 TO saegim_app;


--
-- Name: TABLE episode_vector; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector TO saegim_app;


--
-- Name: TABLE episode_vector_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_00 TO saegim_app;


--
-- Name: TABLE episode_vector_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_01 TO saegim_app;


--
-- Name: TABLE episode_vector_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_02 TO saegim_app;


--
-- Name: TABLE episode_vector_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_03 TO saegim_app;


--
-- Name: TABLE episode_vector_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_04 TO saegim_app;


--
-- Name: TABLE episode_vector_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_05 TO saegim_app;


--
-- Name: TABLE episode_vector_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_06 TO saegim_app;


--
-- Name: TABLE episode_vector_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_07 TO saegim_app;


--
-- Name: TABLE episode_vector_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_08 TO saegim_app;


--
-- Name: TABLE episode_vector_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_09 TO saegim_app;


--
-- Name: TABLE episode_vector_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_10 TO saegim_app;


--
-- Name: TABLE episode_vector_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_11 TO saegim_app;


--
-- Name: TABLE episode_vector_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_12 TO saegim_app;


--
-- Name: TABLE episode_vector_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_13 TO saegim_app;


--
-- Name: TABLE episode_vector_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_14 TO saegim_app;


--
-- Name: TABLE episode_vector_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.episode_vector_15 TO saegim_app;


--
-- Name: TABLE erasure; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.erasure TO saegim_app;


--
-- Name: TABLE extraction; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.extraction TO saegim_app;


--
-- Name: TABLE feedback; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.feedback TO saegim_app;


--
-- Name: TABLE file_part; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.file_part TO saegim_app;


--
-- Name: TABLE guild; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.guild TO saegim_app;


--
-- Name: TABLE guild_activity; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.guild_activity TO saegim_app;


--
-- Name: TABLE guild_channel; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.guild_channel TO saegim_app;


--
-- Name: TABLE guild_notice; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.guild_notice TO saegim_app;


--
-- Name: TABLE identity; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.identity TO saegim_app;


--
-- Name: TABLE index_build; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_build TO saegim_app;


--
-- Name: TABLE index_change; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change TO saegim_app;


--
-- Name: TABLE index_change_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_00 TO saegim_app;


--
-- Name: TABLE index_change_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_01 TO saegim_app;


--
-- Name: TABLE index_change_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_02 TO saegim_app;


--
-- Name: TABLE index_change_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_03 TO saegim_app;


--
-- Name: TABLE index_change_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_04 TO saegim_app;


--
-- Name: TABLE index_change_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_05 TO saegim_app;


--
-- Name: TABLE index_change_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_06 TO saegim_app;


--
-- Name: TABLE index_change_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_07 TO saegim_app;


--
-- Name: TABLE index_change_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_08 TO saegim_app;


--
-- Name: TABLE index_change_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_09 TO saegim_app;


--
-- Name: TABLE index_change_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_10 TO saegim_app;


--
-- Name: TABLE index_change_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_11 TO saegim_app;


--
-- Name: TABLE index_change_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_12 TO saegim_app;


--
-- Name: TABLE index_change_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_13 TO saegim_app;


--
-- Name: TABLE index_change_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_14 TO saegim_app;


--
-- Name: TABLE index_change_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_change_15 TO saegim_app;


--
-- Name: SEQUENCE index_change_change_id_seq; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE saegim.index_change_change_id_seq TO saegim_app;


--
-- Name: TABLE index_state; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.index_state TO saegim_app;


--
-- Name: TABLE ingest; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.ingest TO saegim_app;


--
-- Name: TABLE ingest_file; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.ingest_file TO saegim_app;


--
-- Name: TABLE issuer; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.issuer TO saegim_app;


--
-- Name: TABLE job_failure; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.job_failure TO saegim_app;


--
-- Name: TABLE link_code; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.link_code TO saegim_app;


--
-- Name: TABLE member; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.member TO saegim_app;


--
-- Name: TABLE memory; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory TO saegim_app;


--
-- Name: TABLE memory_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_00 TO saegim_app;


--
-- Name: TABLE memory_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_01 TO saegim_app;


--
-- Name: TABLE memory_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_02 TO saegim_app;


--
-- Name: TABLE memory_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_03 TO saegim_app;


--
-- Name: TABLE memory_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_04 TO saegim_app;


--
-- Name: TABLE memory_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_05 TO saegim_app;


--
-- Name: TABLE memory_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_06 TO saegim_app;


--
-- Name: TABLE memory_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_07 TO saegim_app;


--
-- Name: TABLE memory_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_08 TO saegim_app;


--
-- Name: TABLE memory_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_09 TO saegim_app;


--
-- Name: TABLE memory_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_10 TO saegim_app;


--
-- Name: TABLE memory_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_11 TO saegim_app;


--
-- Name: TABLE memory_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_12 TO saegim_app;


--
-- Name: TABLE memory_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_13 TO saegim_app;


--
-- Name: TABLE memory_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_14 TO saegim_app;


--
-- Name: TABLE memory_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_15 TO saegim_app;


--
-- Name: TABLE memory_import; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_import TO saegim_app;


--
-- Name: TABLE memory_vector; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector TO saegim_app;


--
-- Name: TABLE memory_vector_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_00 TO saegim_app;


--
-- Name: TABLE memory_vector_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_01 TO saegim_app;


--
-- Name: TABLE memory_vector_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_02 TO saegim_app;


--
-- Name: TABLE memory_vector_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_03 TO saegim_app;


--
-- Name: TABLE memory_vector_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_04 TO saegim_app;


--
-- Name: TABLE memory_vector_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_05 TO saegim_app;


--
-- Name: TABLE memory_vector_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_06 TO saegim_app;


--
-- Name: TABLE memory_vector_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_07 TO saegim_app;


--
-- Name: TABLE memory_vector_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_08 TO saegim_app;


--
-- Name: TABLE memory_vector_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_09 TO saegim_app;


--
-- Name: TABLE memory_vector_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_10 TO saegim_app;


--
-- Name: TABLE memory_vector_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_11 TO saegim_app;


--
-- Name: TABLE memory_vector_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_12 TO saegim_app;


--
-- Name: TABLE memory_vector_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_13 TO saegim_app;


--
-- Name: TABLE memory_vector_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_14 TO saegim_app;


--
-- Name: TABLE memory_vector_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_vector_15 TO saegim_app;


--
-- Name: TABLE memory_version; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version TO saegim_app;


--
-- Name: TABLE memory_version_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_00 TO saegim_app;


--
-- Name: TABLE memory_version_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_01 TO saegim_app;


--
-- Name: TABLE memory_version_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_02 TO saegim_app;


--
-- Name: TABLE memory_version_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_03 TO saegim_app;


--
-- Name: TABLE memory_version_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_04 TO saegim_app;


--
-- Name: TABLE memory_version_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_05 TO saegim_app;


--
-- Name: TABLE memory_version_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_06 TO saegim_app;


--
-- Name: TABLE memory_version_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_07 TO saegim_app;


--
-- Name: TABLE memory_version_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_08 TO saegim_app;


--
-- Name: TABLE memory_version_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_09 TO saegim_app;


--
-- Name: TABLE memory_version_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_10 TO saegim_app;


--
-- Name: TABLE memory_version_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_11 TO saegim_app;


--
-- Name: TABLE memory_version_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_12 TO saegim_app;


--
-- Name: TABLE memory_version_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_13 TO saegim_app;


--
-- Name: TABLE memory_version_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_14 TO saegim_app;


--
-- Name: TABLE memory_version_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.memory_version_15 TO saegim_app;


--
-- Name: TABLE passage; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage TO saegim_app;


--
-- Name: TABLE passage_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_00 TO saegim_app;


--
-- Name: TABLE passage_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_01 TO saegim_app;


--
-- Name: TABLE passage_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_02 TO saegim_app;


--
-- Name: TABLE passage_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_03 TO saegim_app;


--
-- Name: TABLE passage_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_04 TO saegim_app;


--
-- Name: TABLE passage_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_05 TO saegim_app;


--
-- Name: TABLE passage_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_06 TO saegim_app;


--
-- Name: TABLE passage_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_07 TO saegim_app;


--
-- Name: TABLE passage_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_08 TO saegim_app;


--
-- Name: TABLE passage_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_09 TO saegim_app;


--
-- Name: TABLE passage_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_10 TO saegim_app;


--
-- Name: TABLE passage_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_11 TO saegim_app;


--
-- Name: TABLE passage_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_12 TO saegim_app;


--
-- Name: TABLE passage_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_13 TO saegim_app;


--
-- Name: TABLE passage_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_14 TO saegim_app;


--
-- Name: TABLE passage_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_15 TO saegim_app;


--
-- Name: TABLE passage_vector; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector TO saegim_app;


--
-- Name: TABLE passage_vector_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_00 TO saegim_app;


--
-- Name: TABLE passage_vector_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_01 TO saegim_app;


--
-- Name: TABLE passage_vector_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_02 TO saegim_app;


--
-- Name: TABLE passage_vector_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_03 TO saegim_app;


--
-- Name: TABLE passage_vector_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_04 TO saegim_app;


--
-- Name: TABLE passage_vector_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_05 TO saegim_app;


--
-- Name: TABLE passage_vector_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_06 TO saegim_app;


--
-- Name: TABLE passage_vector_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_07 TO saegim_app;


--
-- Name: TABLE passage_vector_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_08 TO saegim_app;


--
-- Name: TABLE passage_vector_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_09 TO saegim_app;


--
-- Name: TABLE passage_vector_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_10 TO saegim_app;


--
-- Name: TABLE passage_vector_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_11 TO saegim_app;


--
-- Name: TABLE passage_vector_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_12 TO saegim_app;


--
-- Name: TABLE passage_vector_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_13 TO saegim_app;


--
-- Name: TABLE passage_vector_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_14 TO saegim_app;


--
-- Name: TABLE passage_vector_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.passage_vector_15 TO saegim_app;


--
-- Name: TABLE procrastinate_events; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.procrastinate_events TO saegim_app;


--
-- Name: SEQUENCE procrastinate_events_id_seq; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE saegim.procrastinate_events_id_seq TO saegim_app;


--
-- Name: SEQUENCE procrastinate_jobs_id_seq; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE saegim.procrastinate_jobs_id_seq TO saegim_app;


--
-- Name: TABLE procrastinate_periodic_defers; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.procrastinate_periodic_defers TO saegim_app;


--
-- Name: SEQUENCE procrastinate_periodic_defers_id_seq; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE saegim.procrastinate_periodic_defers_id_seq TO saegim_app;


--
-- Name: TABLE procrastinate_workers; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.procrastinate_workers TO saegim_app;


--
-- Name: SEQUENCE procrastinate_workers_id_seq; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE saegim.procrastinate_workers_id_seq TO saegim_app;


--
-- Name: TABLE profile; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.profile TO saegim_app;


--
-- Name: TABLE ranking; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.ranking TO saegim_app;


--
-- Name: TABLE reembed; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.reembed TO saegim_app;


--
-- Name: TABLE retired_index; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.retired_index TO saegim_app;


--
-- Name: TABLE schema_revision; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT ON TABLE saegim.schema_revision TO saegim_app;


--
-- Name: TABLE section; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.section TO saegim_app;


--
-- Name: TABLE session; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.session TO saegim_app;


--
-- Name: TABLE session_summary; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.session_summary TO saegim_app;


--
-- Name: TABLE sign_in; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.sign_in TO saegim_app;


--
-- Name: TABLE source; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.source TO saegim_app;


--
-- Name: TABLE source_item; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.source_item TO saegim_app;


--
-- Name: TABLE tenant; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.tenant TO saegim_app;


--
-- Name: TABLE tenant_directory; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.tenant_directory TO saegim_app;


--
-- Name: TABLE tenant_move; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.tenant_move TO saegim_app;


--
-- Name: TABLE term_count; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count TO saegim_app;


--
-- Name: TABLE term_count_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_00 TO saegim_app;


--
-- Name: TABLE term_count_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_01 TO saegim_app;


--
-- Name: TABLE term_count_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_02 TO saegim_app;


--
-- Name: TABLE term_count_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_03 TO saegim_app;


--
-- Name: TABLE term_count_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_04 TO saegim_app;


--
-- Name: TABLE term_count_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_05 TO saegim_app;


--
-- Name: TABLE term_count_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_06 TO saegim_app;


--
-- Name: TABLE term_count_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_07 TO saegim_app;


--
-- Name: TABLE term_count_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_08 TO saegim_app;


--
-- Name: TABLE term_count_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_09 TO saegim_app;


--
-- Name: TABLE term_count_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_10 TO saegim_app;


--
-- Name: TABLE term_count_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_11 TO saegim_app;


--
-- Name: TABLE term_count_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_12 TO saegim_app;


--
-- Name: TABLE term_count_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_13 TO saegim_app;


--
-- Name: TABLE term_count_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_14 TO saegim_app;


--
-- Name: TABLE term_count_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.term_count_15 TO saegim_app;


--
-- Name: TABLE turn; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn TO saegim_app;


--
-- Name: TABLE turn_00; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_00 TO saegim_app;


--
-- Name: TABLE turn_01; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_01 TO saegim_app;


--
-- Name: TABLE turn_02; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_02 TO saegim_app;


--
-- Name: TABLE turn_03; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_03 TO saegim_app;


--
-- Name: TABLE turn_04; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_04 TO saegim_app;


--
-- Name: TABLE turn_05; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_05 TO saegim_app;


--
-- Name: TABLE turn_06; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_06 TO saegim_app;


--
-- Name: TABLE turn_07; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_07 TO saegim_app;


--
-- Name: TABLE turn_08; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_08 TO saegim_app;


--
-- Name: TABLE turn_09; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_09 TO saegim_app;


--
-- Name: TABLE turn_10; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_10 TO saegim_app;


--
-- Name: TABLE turn_11; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_11 TO saegim_app;


--
-- Name: TABLE turn_12; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_12 TO saegim_app;


--
-- Name: TABLE turn_13; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_13 TO saegim_app;


--
-- Name: TABLE turn_14; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_14 TO saegim_app;


--
-- Name: TABLE turn_15; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_15 TO saegim_app;


--
-- Name: TABLE turn_trace; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.turn_trace TO saegim_app;


--
-- Name: TABLE usage_event; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.usage_event TO saegim_app;


--
-- Name: TABLE usage_limit; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.usage_limit TO saegim_app;


--
-- Name: TABLE webhook; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.webhook TO saegim_app;


--
-- Name: TABLE webhook_delivery; Type: ACL; Schema: saegim; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE saegim.webhook_delivery TO saegim_app;


--
-- PostgreSQL database dump complete
--



insert into saegim.schema_revision (version_num) values ('0001');

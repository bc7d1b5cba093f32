-- name: save_model_connection
-- Adds a model connection, or changes it.
insert into model_connection (
    tenant_id, connection_id, name, provider, base_url, api_key, key_hint, step_seconds,
    first_token_seconds, turn_seconds, background_seconds, without_tools, created_at
)
values (
    %(tenant)s, %(connection)s, %(name)s, %(provider)s, %(base_url)s, %(api_key)s, %(key_hint)s,
    %(step_seconds)s, %(first_token_seconds)s, %(turn_seconds)s, %(background_seconds)s,
    coalesce(%(without_tools)s::text[], '{}'), %(now)s
)
on conflict (tenant_id, connection_id) do update
set name = excluded.name, provider = excluded.provider, base_url = excluded.base_url,
    api_key = excluded.api_key, key_hint = excluded.key_hint,
    step_seconds = excluded.step_seconds, first_token_seconds = excluded.first_token_seconds,
    turn_seconds = excluded.turn_seconds, background_seconds = excluded.background_seconds,
    without_tools = case
        when %(without_tools)s::text[] is null and model_connection.base_url = excluded.base_url
            then model_connection.without_tools
        else excluded.without_tools
    end;


-- name: list_model_connections
-- A tenant's model connections, oldest first.
select * from model_connection where tenant_id = %(tenant)s order by connection_id;


-- name: find_model_connection
-- One model connection.
select * from model_connection
where tenant_id = %(tenant)s and connection_id = %(connection)s;


-- name: drop_model_connection
-- Deletes a model connection and its roles.
delete from model_connection
where tenant_id = %(tenant)s and connection_id = %(connection)s
returning connection_id;


-- name: set_model_egress
-- Changes what must not leave to a model connection.
update model_connection
set withheld_types = %(withheld_types)s, withholds_pinned = %(withholds_pinned)s,
    uses_pseudonyms = %(uses_pseudonyms)s
where tenant_id = %(tenant)s and connection_id = %(connection)s
returning *;


-- name: set_model_tools
-- Stores whether a model of a connection takes tools.
update model_connection
set without_tools = case
    when %(takes_tools)s then array_remove(without_tools, %(model)s)
    else array_append(array_remove(without_tools, %(model)s), %(model)s)
end
where tenant_id = %(tenant)s and name = %(name)s
    and %(takes_tools)s = (%(model)s = any(without_tools))
returning connection_id;


-- name: set_model_role
-- Sets the model of a role.
insert into model_role (tenant_id, role, connection_id, model)
values (%(tenant)s, %(role)s, %(connection)s, %(model)s)
on conflict (tenant_id, role)
    do update set connection_id = excluded.connection_id, model = excluded.model;


-- name: drop_model_role
-- Returns a role to the model of the environment.
delete from model_role where tenant_id = %(tenant)s and role = %(role)s;


-- name: list_model_roles
-- The models of a tenant's roles with their connections.
select r.role, r.model, c.*
from model_role r
join model_connection c on c.tenant_id = r.tenant_id and c.connection_id = r.connection_id
where r.tenant_id = %(tenant)s and c.tenant_id = %(tenant)s
order by r.role;

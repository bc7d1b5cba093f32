-- name: find_serving
-- What a search needs to know of its tenant: the index that serves, and how it ranks.
select s.index_version, s.embedder, s.dimensions, r.weights, r.faq, r.other
from index_state s
left join ranking r on r.tenant_id = s.tenant_id
where s.tenant_id = %(tenant)s and s.subject = %(subject)s;

-- name: find_ranking
-- How a tenant ranks, where it has set anything.
select weights, faq, other from ranking where tenant_id = %(tenant)s;

-- name: set_ranking
-- How a tenant ranks from now on; what is null follows the defaults.
insert into ranking (tenant_id, weights, faq, other, updated_at)
values (%(tenant)s, %(weights)s::jsonb, %(faq)s::integer, %(other)s::integer, %(now)s)
on conflict (tenant_id) do update
set weights = excluded.weights, faq = excluded.faq, other = excluded.other,
    updated_at = excluded.updated_at;

-- name: list_collections
-- All collections of a tenant that are not one person's own.
select collection_id from collection where tenant_id = %(tenant)s and owner_id is null;

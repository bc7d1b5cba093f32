-- name: passage_names
-- The names that passages are tagged with, the commonest first.
select name
from passage p cross join lateral unnest(p.names) as name
where p.tenant_id = %(tenant)s
group by name
order by count(*) desc, name
limit %(most)s;

-- name: document_types
-- The types of a tenant's documents.
select distinct type from document where tenant_id = %(tenant)s order by type;

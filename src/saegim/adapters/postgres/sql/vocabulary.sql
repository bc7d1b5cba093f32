-- name: passage_names
-- The names that passages are tagged with, the commonest first.
select unnest(names) as name
from passage
where tenant_id = %(tenant)s
group by 1
order by count(*) desc, 1
limit %(most)s;

-- name: document_types
-- The types of a tenant's documents.
select distinct type from document where tenant_id = %(tenant)s order by type;

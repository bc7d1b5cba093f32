-- name: passage_names
-- The names that passages are tagged with, the commonest first; those of one person's own documents
-- tell nobody anything.
select unnest(p.names) as name
from passage p
where p.tenant_id = %(tenant)s and p.document_id not in (
    select d.document_id from document d
    join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
    where d.tenant_id = %(tenant)s and c.owner_id is not null
)
group by 1
order by count(*) desc, 1
limit %(most)s;

-- name: document_types
-- The types of a tenant's documents, but for those of one person's own.
select distinct d.type from document d
join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and c.owner_id is null
order by d.type;

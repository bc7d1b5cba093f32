"""PostgreSQL and Redis: pools, tenant transactions, cells, queries, migrations."""

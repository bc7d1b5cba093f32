"""The system of record on PostgreSQL: cells, row-level security, named SQL, jobs."""

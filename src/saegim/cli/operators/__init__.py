"""Commands for operators: tenants, cells, keys, jobs, backups."""

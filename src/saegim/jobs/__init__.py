"""Background jobs: queue, worker, retries, dead letters."""

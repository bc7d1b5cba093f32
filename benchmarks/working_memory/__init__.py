"""Verify working memory: `python -m benchmarks.working_memory`."""

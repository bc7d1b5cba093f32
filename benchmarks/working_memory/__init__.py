"""What working memory promises, shown: `python -m benchmarks.working_memory`."""

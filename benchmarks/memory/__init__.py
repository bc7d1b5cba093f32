"""Measure quality and speed of recall: `make bench-memory`, `make bench-mem0`."""

import os

# Read when numpy is first imported: see `llm/bundled_embedders.py`.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

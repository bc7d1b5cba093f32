"""Benchmarks and proofs of the library: retrieval quality, search at scale, ingest under kills."""

import os

# Before anything here imports numpy, as the product sees to it for itself: see `embedders`.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""Benchmarks of the library: retrieval quality, search at scale, import under kills."""

import os

# Before numpy is imported; the product does the same.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

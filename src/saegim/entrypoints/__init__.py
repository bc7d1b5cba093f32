"""The doors: HTTP API, worker, command line."""

import os

# Before anything imports numpy: the bundled embedder is 50 times slower when BLAS threads fight.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

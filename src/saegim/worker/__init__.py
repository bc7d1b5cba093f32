"""The background worker process."""

import os

# Before anything imports numpy: the bundled embedder is 50 times slower with several BLAS threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""Benchmarks and proofs of the library: retrieval quality, search at scale, ingest under kills."""

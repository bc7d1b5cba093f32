"""Stand-ins for outside services, shared by tests and benchmarks."""

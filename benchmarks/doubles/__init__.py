"""Stand-ins for models, embedders and outside services, shared by tests and benchmarks."""

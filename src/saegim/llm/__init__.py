"""Language models: providers, roles, calls, retries, fallbacks, prompts, embeddings."""

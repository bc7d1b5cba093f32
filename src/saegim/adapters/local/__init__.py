"""Real servers from wheels for development and tests: PostgreSQL and Valkey."""

"""PostgreSQL and Valkey from wheels, for development and tests."""

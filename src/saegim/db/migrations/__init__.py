"""The database schema, one revision per change."""

"""The database schema."""

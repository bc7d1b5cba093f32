"""Runs the API, workers and migrations in production."""

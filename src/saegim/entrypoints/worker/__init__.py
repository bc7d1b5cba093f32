"""The background worker."""

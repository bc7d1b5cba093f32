"""Keeps the search index in sync with the stored documents."""

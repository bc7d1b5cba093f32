"""Erase a user's data from every store."""

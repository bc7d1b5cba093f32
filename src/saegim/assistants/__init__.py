"""Assistants: their versions, configuration and collections."""

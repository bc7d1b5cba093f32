"""Dates and times that a text names."""

"""Runs parsers in a resource-limited subprocess."""

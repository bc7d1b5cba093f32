"""Connectors that import documents from folders, web pages and buckets."""

"""Readers of sources: folders, web pages, S3-compatible buckets."""

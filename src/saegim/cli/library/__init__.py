"""Commands for documents, sources, ranking and re-embedding."""

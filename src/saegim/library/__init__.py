"""Documents: parsing, ingestion, indexing, search and ranking."""

"""The search index on LanceDB."""

"""A session's recent turns, its recursive summary and its entities."""

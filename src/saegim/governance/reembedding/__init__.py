"""Moves a tenant to another embedder without interrupting search."""

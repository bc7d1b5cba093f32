"""Moves a tenant from one cell to another while it is in use."""

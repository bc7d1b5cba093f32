"""Erasure of a person's data from every store."""

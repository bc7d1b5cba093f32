"""Erasure, export, retention, backup, tenant moves and re-embedding."""

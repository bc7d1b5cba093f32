"""Recalls memories for a message."""

"""Answers questions about the user from memory, with citations."""

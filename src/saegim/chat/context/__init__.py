"""Builds the prompt of a turn within its token budget."""

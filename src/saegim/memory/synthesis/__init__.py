"""Synthesis: observations, a profile and entity pages, derived from the records of a user."""

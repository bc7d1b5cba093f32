"""Ids, errors, scope and caller, clock, etags, permissions. Imports nothing of ours."""

"""Tenants, members, keys, tokens and sign-in."""

"""Guilds, activity ranking and notices of a chat community. Filled by CH4."""

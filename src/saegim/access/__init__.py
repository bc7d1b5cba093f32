"""Who is calling and what they may do: tenants, assistants, keys, users, profiles."""

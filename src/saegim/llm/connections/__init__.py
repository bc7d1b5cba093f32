"""Models that tenants connect themselves, with their own keys."""

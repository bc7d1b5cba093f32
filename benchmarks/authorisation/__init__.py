"""Try every credential against every operation, and detect escalations."""

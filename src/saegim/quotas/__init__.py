"""Rate limits, budgets and storage quotas."""

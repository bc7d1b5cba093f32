"""Makes model output safe to render while it streams."""

"""Signed webhooks with retries."""

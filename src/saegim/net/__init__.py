"""Outbound HTTP: the SSRF guard and its errors."""

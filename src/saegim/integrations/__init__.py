"""Integrations with other frameworks. Built on the client alone."""

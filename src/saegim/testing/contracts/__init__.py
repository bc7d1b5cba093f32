"""Suites that every implementation of a port must pass; subclass one and give it a fixture."""

"""Evaluates memory and search: judge, scenarios, retrieval measures, reports."""

"""Traces, usage by day, metrics and the capacity plan."""

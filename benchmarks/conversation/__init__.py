"""Whole conversations without a model, judged by the answers a user sees."""

"""Evaluation of an assistant by the tenant's own questions."""

"""Attributes the sentences of an answer to the evidence that supports them."""

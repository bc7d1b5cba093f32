"""Feedback on answers, and questions that had no answer."""

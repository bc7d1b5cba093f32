"""The assistant without a model: intents of messages, and answers written by rules."""

"""The running summary of a session, by a model or by rule."""

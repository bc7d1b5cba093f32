"""The tools that an answering model may call in a turn."""

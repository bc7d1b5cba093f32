"""The web pages and the chat widget."""

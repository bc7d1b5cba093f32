"""The whole API against requests that nobody would write: by its own document, and hostile ones."""

"""Files to text with structure: one module per kind, run in a confined child process."""

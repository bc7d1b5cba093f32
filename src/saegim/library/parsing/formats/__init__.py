"""One parser per file format."""

"""A feature with prompts, for the tests of prompt loading."""

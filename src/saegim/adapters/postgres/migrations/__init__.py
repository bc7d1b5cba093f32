"""The schema, a revision per change; expand first, contract a release later."""

"""The product with a strong model: a script of messages, answered by hand and replayed."""

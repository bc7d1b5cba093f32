"""Whether answers of models that do not cite are cited, and invented ones marked."""

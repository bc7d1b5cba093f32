"""Routes of the web pages, one module per page."""

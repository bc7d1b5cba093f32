"""One module for each page, with what it shows and changes."""

"""Files of every format: words, cells, time, hostile files, and questions over tables."""

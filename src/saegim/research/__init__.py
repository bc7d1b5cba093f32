"""Question in, evidence out: expand, search, fuse, assess, loop. Filled by TN3 and LB6."""

"""Documents in, passages out: parse, split, tag, index, look up. Filled by LB1-LB11."""

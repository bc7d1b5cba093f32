"""Pure text work: analyse, mask, count tokens, weigh terms, fuse rankings, measure them."""

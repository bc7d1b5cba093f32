"""A chat community that an assistant lives in: how it speaks there, who is active, its notices."""

"""Working memory and stream buffers on Redis or Valkey; never the only copy."""

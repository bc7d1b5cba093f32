"""What a turn cost and why it came out as it did: calls, prices, traces."""

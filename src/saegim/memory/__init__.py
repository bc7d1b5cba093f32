"""Long-term memory: episodes and records, written after a turn, recalled before one."""

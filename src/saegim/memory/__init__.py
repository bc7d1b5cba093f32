"""Long-term memory: records and episodes, written after a turn, recalled before one."""

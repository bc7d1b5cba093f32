"""Facts from outside, providers tried in order, and MCP clients. Filled by TL1-TL2."""

"""The MCP server: memory and documents as tools. Needs the extra `mcp`."""

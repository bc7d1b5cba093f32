"""The MCP server: memory and documents as tools."""

"""The MCP door: memory and documents as tools of any agent. Needs the extra `mcp`."""

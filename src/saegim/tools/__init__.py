"""Tools that fetch facts from outside services, built in or over MCP."""

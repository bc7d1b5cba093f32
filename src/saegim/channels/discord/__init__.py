"""The Discord bot. Calls the API through the client."""

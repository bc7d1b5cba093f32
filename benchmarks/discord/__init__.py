"""The Discord bot as a process of its own, between a stand-in of Discord and the API."""

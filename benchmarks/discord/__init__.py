"""Run the Discord bot as a process between a local stand-in of Discord and the API."""

"""The Discord door: discord.py on one side, the client on the other, and no logic of its own."""

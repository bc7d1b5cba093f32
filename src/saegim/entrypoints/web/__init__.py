"""The pages: chat, memory, library, use and administration, and the widget for other products."""

"""What the web pages weigh and how fast they are, in Chromium, with a real server."""

"""Chat communities: settings, activity and notices."""

"""What answers without a model, or when it fails: it searches, quotes, and keeps notes."""

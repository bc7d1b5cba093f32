"""Rule-based extraction in Korean and English, used when no model is configured."""

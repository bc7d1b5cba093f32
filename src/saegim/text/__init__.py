"""Text analysis, stemming, masking, token counts, sparse vectors, rank fusion."""

"""Send generated and hostile requests to every operation of the API."""

"""Sessions and turns, the running summary, entities and stream buffers."""

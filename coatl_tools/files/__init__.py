"""Files: where the data is, JSON read without trust, files written atomically."""

"""The photo mat, and its geometry for whoever reads photos."""

"""`coatl print` and `coatl export`: the game on paper and for other targets."""

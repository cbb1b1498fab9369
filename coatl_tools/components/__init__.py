"""What is in the box: `components.json` as a whole, and single numbers of it."""

"""What is printed, as pictures for a screen: SVG for pages, PNG to share."""

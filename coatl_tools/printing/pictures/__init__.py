"""What is printed, as pictures for a screen: SVG for web pages, PNG to share."""

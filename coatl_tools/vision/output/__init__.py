"""What is made of a reading for people: the overlay, the HTML report, and their files."""

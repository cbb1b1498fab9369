"""What the commands do with a photo once it has been read: correct, score, tally, learn."""

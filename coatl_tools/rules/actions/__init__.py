"""What can be done in a turn, a module for each part of the table; the list of what is legal."""

"""Sheets of paper: what lies where on them, marks and rulers, printers that print askew."""

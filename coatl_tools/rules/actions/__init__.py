"""What each event does, grouped by what it touches; `legal.py` lists what is legal."""

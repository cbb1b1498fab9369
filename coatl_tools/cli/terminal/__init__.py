"""What commands share of the terminal: streams, questions, progress, and the drawing of the
game.
"""

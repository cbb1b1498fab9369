"""Reading the table: from a photo to Cóatls and cards.

`picture` opens a photo, `mat` straightens it where the mat lies, `pieces` finds the Cóatls and
`cards` the cards, `reader` brings them together as a `Reading`: what was seen, how sure it is,
and what could not be read.
"""

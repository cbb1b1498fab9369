"""Read the table from a photo: Cóatls and cards, how sure each of them is, and what is not sure.

`picture` opens a photo, `mat` straightens it where the photo mat lies, `pieces` finds the Cóatls,
`cards` the cards, and `reader` brings them together as a `PhotoReading` (in `reading`). People
correct it in a `CorrectionSession` (`corrections`); `output` draws the overlay and the report;
`scores_and_tally` makes scores and tallies of readings.

    picture, reading = read_photo_file(Path("table.jpg"), load_cards())
    session = CorrectionSession.start(reading, load_cards())
    for problem in session.list_open_problems():
        session = session.apply(session.make_confirmation(problem))
    print([seen.notation for seen in session.reading.coatls])

`reading`, `corrections`, `scores_and_tally`, `colour_profiles` and `photo_format` import no
OpenCV: the web server uses them. `reader`, `mat`, `pieces`, `cards` and `output` do; call
`photo_format.require_opencv` before importing them where its absence must be a clear error.
"""

"""How the network that finds pieces is made: scenes are drawn, photographed and learned.

`python -m training scenes` draws labelled photos, `python -m training learn` trains on them, and
`python -m training weigh` calibrates the confidence. Nothing here is needed to read a photo.
"""

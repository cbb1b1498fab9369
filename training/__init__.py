"""How the networks that find pieces are made: scenes are drawn, photographed and learned.

`python -m training scenes` draws labelled photos, `learn` and `portraits` train on them, `export`
packs what was learned, `weigh` calibrates the confidence. Nothing here is needed to read a photo.
"""

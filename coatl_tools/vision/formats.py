"""The formats of photos, told by their first bytes: whatever a file is called or said to be."""

from __future__ import annotations

FIRST = 16  # bytes that are enough to tell
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def photo_format(begin: bytes) -> str | None:
    """Pillow's name for the format of what begins with these bytes; None if it is no photo."""
    if begin[4:8] == b"ftyp" and begin[8:12] in _HEIF_BRANDS:
        return "HEIF"
    if begin[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if begin[:8] == b"\x89PNG\r\n\x1a\n":
        return "PNG"
    if begin[:4] == b"RIFF" and begin[8:12] == b"WEBP":
        return "WEBP"
    return None

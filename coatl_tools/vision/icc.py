"""Colours as the file means them: phones write wide ones, with a profile that says so.

Everything that looks at pixels knows sRGB. A photo in Display P3 that is taken for sRGB has duller
colours than the table had.
"""

from __future__ import annotations

import io

from PIL import Image, ImageCms

LARGEST = 4 << 20  # bytes of a profile: that of a phone has some hundred


def to_srgb(image: Image.Image) -> ImageCms.ImageCmsTransform | None:
    """What makes RGB pixels of an opened file sRGB ones; None if they are, or nothing tells."""
    written = image.info.get("icc_profile")
    if not isinstance(written, bytes) or not 0 < len(written) <= LARGEST or image.mode == "CMYK":
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(written))
        if profile.profile.xcolor_space.strip() != "RGB" or _is_srgb(profile):
            return None
        return ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "RGB", "RGB")
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return None  # nobody should lose the pixels for a broken note beside them


def _is_srgb(profile: ImageCms.ImageCmsProfile) -> bool:
    return "srgb" in str(profile.profile.profile_description or "").lower()

"""What the waiting page shows of a photo that is still being read: nothing of it is checked yet."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.language import Language
from coatl_tools.web.pages.photo.outlines import PhotoOutlines, build_first_outlines
from coatl_tools.web.work.photo_jobs import PhotoResult, ShownPhoto


@dataclass(frozen=True, slots=True)
class FindingsView:
    """The photo with outlines of what was found so far, and what that is in words, if anything."""

    shown: ShownPhoto
    outlines: PhotoOutlines
    said: str


def build_findings_view(found: object, language: Language) -> FindingsView | None:
    """Build what is shown of what a job has found so far; None if it has not opened the photo."""
    if not isinstance(found, PhotoResult):
        return None
    counts = {
        "web_photo_first_cards": len(found.reading.cards),
        "web_photo_first_pieces": sum(len(seen.pieces) for seen in found.reading.coatls),
    }
    parts = [language.label(key, count) for key, count in counts.items() if count]
    said = language.label("web_photo_first", found=", ".join(parts)) if parts else ""
    return FindingsView(
        found.shown, build_first_outlines(found), language.typography.bind_signs(said)
    )

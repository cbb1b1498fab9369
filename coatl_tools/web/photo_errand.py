"""What a photo is for: the Cóatls of a player of a tally, which stands in the address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from coatl_tools.language import Language

MOST_CHARACTERS, MOST_FIELDS = 6000, 200
_PLAYER, _COATL = "player", "coatl"


@dataclass(frozen=True, slots=True)
class Errand:
    """A tally that asked for a photo, as the fields of its address; `seat` counts from 1."""

    tally: tuple[tuple[str, str], ...] = ()
    seat: int = 1

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Errand:
        """What an address says by `for` and `seat`; none, if that makes no sense.

        >>> Errand.read({"for": "player=Ana&player=Bo", "seat": "2"}).player
        'Bo'
        """
        text, seat = asked.get("for", ""), asked.get("seat", "1")
        if not text or len(text) > MOST_CHARACTERS:
            return cls()
        try:
            fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            return cls()
        known = seat.isascii() and seat.isdigit() and len(seat) < 3
        return cls(tuple(fields), int(seat) if known else 1)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The same for the address of a page."""
        return [("for", urlencode(self.tally)), ("seat", str(self.seat))] if self.tally else []

    @property
    def player(self) -> str:
        """Whose Cóatls they are, if that is known."""
        names = [value for key, value in self.tally if key == _PLAYER]
        return names[self.seat - 1] if 1 <= self.seat <= len(names) else ""

    def tally_url(self, coatls: Iterable[str], language: Language) -> str:
        """The tally with these Cóatls behind those that the player has; or a new one."""
        more = [(_COATL, coatl) for coatl in coatls]
        fields = list(self.tally) or [(_PLAYER, language.label("web_photo_player"))]
        seats = [place for place, (key, _) in enumerate(fields) if key == _PLAYER]
        later = seats[self.seat :]
        place = later[0] if later else len(fields)
        return "/tally?" + urlencode([*fields[:place], *more, *fields[place:]])

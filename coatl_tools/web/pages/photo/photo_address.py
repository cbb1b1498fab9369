"""The addresses of a photo's pages: its job, corrections, and the tally that it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import QueryParams

from coatl_tools.language import Language
from coatl_tools.rules.editions import DEFAULT_EDITION, choose_edition
from coatl_tools.vision.corrections.session import Corrections

MAX_QUERY_LENGTH, MAX_QUERY_FIELDS = 6000, 200
MAX_SAID, MAX_SAID_LENGTH = 60, 200  # corrections in an address, and characters of each
_JOB = re.compile(r"[0-9a-f]{32}")
_PLAYER_FIELD, _COATL_FIELD = "player", "coatl"


@dataclass(frozen=True, slots=True)
class TallyReturn:
    """A tally that asked for a photo, as the fields of its address; `seat` counts from 1."""

    tally: tuple[tuple[str, str], ...] = ()
    seat: int = 1

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> TallyReturn:
        """Parse the fields `for` and `seat` of an address; empty if they are invalid.

        >>> TallyReturn.read({"for": "player=Ana&player=Bo", "seat": "2"}).player
        'Bo'
        """
        text, seat = asked.get("for", ""), asked.get("seat", "1")
        if not text or len(text) > MAX_QUERY_LENGTH:
            return cls()
        try:
            fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_QUERY_FIELDS)
        except ValueError:
            return cls()
        known = seat.isascii() and seat.isdigit() and len(seat) < 3
        return cls(tuple(fields), int(seat) if known else 1)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields for an address."""
        return [("for", urlencode(self.tally)), ("seat", str(self.seat))] if self.tally else []

    @property
    def player(self) -> str:
        """The name of the player whose Cóatls they are, if known."""
        names = self._names
        return names[self.seat - 1] if 1 <= self.seat <= len(names) else ""

    def find_seat(self, player: int) -> int:
        """Find the seat in the tally (from 0) of a player, counted clockwise from who asked."""
        count = len(self._names)
        return (self._first + player) % count if player < count else player

    def name_player(self, player: int, language: Language) -> str:
        """Return the name of a player, counted clockwise (from 0) from the one who asked."""
        if player < len(self._names):
            return self._names[self.find_seat(player)]
        return language.label("web_tally_name", number=player + 1)

    def tally_url(self, coatls: Mapping[int, Iterable[str]], language: Language) -> str:
        """Return the address of the tally, maybe a new one, with the Cóatls of players added.

        Players are counted clockwise (from 0) from the one who asked.
        """
        parts: list[list[tuple[str, str]]] = [[]]  # what is before the players, then of each
        for field in self.tally or _begin_tally(language):
            if field[0] == _PLAYER_FIELD:
                parts.append([])
            parts[-1].append(field)
        count = len(parts) - 1
        for player, own in sorted(coatls.items()):
            if player >= count:
                parts.append([(_PLAYER_FIELD, self.name_player(player, language))])
            part = parts[1 + self.find_seat(player)] if player < count else parts[-1]
            part += [(_COATL_FIELD, coatl) for coatl in own]
        return "/tally?" + urlencode([field for part in parts for field in part])

    @property
    def _names(self) -> list[str]:
        return [value for key, value in self.tally if key == _PLAYER_FIELD]

    @property
    def _first(self) -> int:
        """The index of the player who asked."""
        return max(0, min(self.seat, len(self._names)) - 1)


def _begin_tally(language: Language) -> list[tuple[str, str]]:
    """Return the fields of a tally without players, by the edition of the language."""
    edition = choose_edition(None, language)
    return [] if edition == DEFAULT_EDITION else [("edition", edition)]


@dataclass(frozen=True, slots=True)
class PhotoAddress:
    """The address of a photo's page: its job, the tally to return to, and how much is shown.

    `before` is the job to which this photo was added, `said` what was corrected there.
    """

    job: str
    tally_return: TallyReturn
    whole: bool | None = None  # None: as fits what was read
    before: str = ""
    said: tuple[str, ...] = ()

    @classmethod
    def read(cls, job: str, asked: QueryParams) -> PhotoAddress:
        """Parse the address of a job with the fields of its query; what is invalid is left out."""
        whole = asked["whole"] != "0" if "whole" in asked else None
        before = asked.get("before", "")
        if not _JOB.fullmatch(before):
            return cls(job, TallyReturn.read(asked), whole)
        said = tuple(text[:MAX_SAID_LENGTH] for text in asked.getlist("said")[:MAX_SAID])
        return cls(job, TallyReturn.read(asked), whole, before, said)

    def url(self, corrections: Corrections | Sequence[str] = (), whole: bool | None = None) -> str:
        """Return the address with these corrections; `whole` changes how much is shown."""
        place = self if whole is None else replace(self, whole=whole)
        return make_url(self.page, [*(("fix", str(one)) for one in corrections), *place.fields])

    @property
    def page(self) -> str:
        """The path of the page, without a query."""
        return f"/photo/{self.job}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields of the query, without corrections."""
        whole = [] if self.whole is None else [("whole", str(int(self.whole)))]
        before = [("before", self.before)] if self.before else []
        return [*self.tally_return.fields, *whole, *before, *(("said", one) for one in self.said)]

    def add_photo_url(self, corrections: Corrections) -> str:
        """Return the address that takes another photo, to be joined to the corrected reading."""
        fields = [*(("fix", str(one)) for one in corrections), *self.tally_return.fields]
        return make_url(f"{self.page}/more", fields)

    @property
    def before_url(self) -> str:
        """The address of what was read before this photo was added; empty for the first one."""
        return PhotoAddress(self.before, self.tally_return).url(self.said) if self.before else ""

    @property
    def discard_url(self) -> str:
        """The address that discards the photo."""
        return make_url(f"{self.page}/away", self.fields)

    @property
    def form(self) -> str:
        """The address of the form for another photo for the same tally."""
        return make_url("/photo", self.tally_return.fields)


def make_url(path: str, fields: Sequence[tuple[str, str]]) -> str:
    """Make an address of a path and the fields of its query, if there are any."""
    return f"{path}?{urlencode(fields)}" if fields else path

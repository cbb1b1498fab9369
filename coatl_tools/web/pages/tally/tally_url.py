"""A tally in the query string of a page: read it, change it, write it again.

`player=Ana&coatl=<RBB>.P05.T03&golden=1&player=Bo&…`: what follows a player is that player's.
Options that a table of this size does not have stay in the address, and count for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import (
    CoatlError,
    OptionError,
    PositionError,
    RequestError,
    UnknownCardError,
)
from coatl_tools.pieces import MAX_PIECES
from coatl_tools.referee.position_text import build_coatl, is_card_word, parse_number
from coatl_tools.referee.tally import Tally, TallySeat
from coatl_tools.rules.constants import FEWER_BODIES_BY_PLAYERS, MAX_PLAYERS, SOLO_LEVELS
from coatl_tools.rules.editions import DEFAULT_EDITION
from coatl_tools.rules.state import Built
from coatl_tools.rules.table_options import MAX_PLAYER_NAME_LENGTH, TableOptions
from coatl_tools.web.pages.coatl_edit_links import EditedCoatl
from coatl_tools.web.pages.score import MAX_CARDS, toggle_card

MAX_COATLS = 6  # of one player: four may be complete (rule 8.2), two begun (3.6)
MAX_FULFILLED = 60
MAX_PAIRS = 100
MAX_COATL_LENGTH = 400  # characters of a Cóatl with its cards
EDITING_ADAM = "adam"  # A.D.A.M.'s cards are being chosen
_OPTION_FLAGS = {
    "promo": "promo",
    "fewer": "fewer_bodies",
    "feathers": "golden_feathers",
    "closed": "closed_ends",
}
_SEPARATORS = re.compile(r"[\s,;]+")

QueryPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class WrittenCoatl:
    """A Cóatl as it was typed, maybe empty or wrong, with the ids of its cards."""

    text: str = ""
    cards: tuple[str, ...] = ()

    @classmethod
    def parse(cls, value: str, catalog: Catalog) -> WrittenCoatl:
        """Parse a Cóatl from an address, or as typed: `<RBBYG> P29 T03`."""
        if len(value) > MAX_COATL_LENGTH:
            raise RequestError("web.long_coatl", most=MAX_PIECES)
        text, *cards = value.split(".")
        words = text.split()
        first = next((n for n, word in enumerate(words) if is_card_word(word, catalog)), len(words))
        beside = [*filter(None, _SEPARATORS.split(" ".join([*words[first:], *cards])))]
        if len(beside) > MAX_CARDS:
            raise RequestError("cards.many_beside", most=MAX_CARDS)
        known = tuple(_normalize_card_id(card, catalog) for card in beside)
        return cls(_normalize_notation(" ".join(words[:first])), known)

    def __str__(self) -> str:
        return ".".join((self.text, *self.cards))

    @property
    def as_typed(self) -> str:
        """The text as a person types it."""
        return " ".join((self.text, *self.cards)).strip()

    @property
    def edited_coatl(self) -> EditedCoatl:
        """The pieces to edit; none if the text cannot be read."""
        try:
            return EditedCoatl.parse(self.text)
        except CoatlError:
            return EditedCoatl()

    def with_card_toggled(self, card: str) -> WrittenCoatl:
        """Return the Cóatl with a card added or removed."""
        return replace(self, cards=toggle_card(self.cards, card))

    def build(self, catalog: Catalog) -> Built:
        """Build the Cóatl for the referee; CoatlError if it is none, or a card is unknown."""
        return build_coatl(self.text, " ".join(self.cards), catalog)


def _normalize_notation(text: str) -> str:
    """Return the canonical notation; a text that cannot be read stays as it is."""
    try:
        return str(EditedCoatl.parse(text))
    except CoatlError:
        return text


def _normalize_card_id(card: str, catalog: Catalog) -> str:
    try:
        return catalog[card].id
    except UnknownCardError:
        return card


@dataclass(frozen=True, slots=True)
class DraftSeat:
    """A player with their Cóatls and golden segments."""

    name: str
    coatls: tuple[WrittenCoatl, ...] = ()
    golden: int = 0


@dataclass(frozen=True, slots=True)
class TallyDraft:
    """A tally that is being entered. `editing` is the Cóatl that is being edited: `2.1`."""

    seats: tuple[DraftSeat, ...] = ()
    adam: tuple[str, ...] = ()  # A.D.A.M.'s fulfilled cards
    edition: str = DEFAULT_EDITION  # a link means the same to everybody
    levels: tuple[int, ...] = ()
    promo: bool = False
    fewer_bodies: bool = False
    golden_feathers: bool = False
    closed_ends: bool = False
    editing: str = ""

    @classmethod
    def parse(cls, pairs: Iterable[tuple[str, str]], catalog: Catalog) -> TallyDraft:
        """Parse the fields of an address; CoatlError for more than a table can have."""
        given = tuple(pairs)
        if len(given) > MAX_PAIRS:
            raise RequestError("web.tally_long")
        draft, last = cls(), dict(given)
        for name, value in given:
            if name == "player":
                draft = replace(draft, seats=(*draft.seats, DraftSeat(_parse_name(value))))
            elif name == "coatl" and draft.seats:
                draft = draft.with_coatls(
                    len(draft.seats) - 1, [WrittenCoatl.parse(value, catalog)]
                )
            elif name == "golden" and draft.seats:
                seat = replace(draft.seats[-1], golden=parse_number(value))
                draft = replace(draft, seats=(*draft.seats[:-1], seat))
        flags = {flag: last.get(name, "") not in ("", "0") for name, flag in _OPTION_FLAGS.items()}
        return replace(
            draft,
            seats=tuple(seat for seat in draft.seats if seat.name or _has_coatls(seat)),
            adam=_parse_fulfilled(last.get("adam", ""), catalog),
            edition=last.get("edition", "")[:MAX_PLAYER_NAME_LENGTH] or DEFAULT_EDITION,
            levels=_parse_levels(value for name, value in given if name == "level"),
            editing=last.get("at", ""),
            **flags,
        ).normalize()

    def normalize(self) -> TallyDraft:
        """Drop empty Cóatls, except before others of the player who is being edited.

        Raises OptionError or RequestError for more players or Cóatls than a table can have.
        """
        if len(self.seats) > MAX_PLAYERS:
            raise OptionError("options.players", n=len(self.seats))
        place = self.edited_place
        seats = []
        for index, seat in enumerate(self.seats):
            coatls = list(seat.coatls)
            if place is None or place[0] != index:
                coatls = [coatl for coatl in coatls if coatl != WrittenCoatl()]
            while coatls and coatls[-1] == WrittenCoatl():
                coatls.pop()
            if len(coatls) > MAX_COATLS:
                raise RequestError("web.tally_coatls", most=MAX_COATLS)
            seats.append(replace(seat, coatls=tuple(coatls)))
        normalized = replace(self, seats=tuple(seats))
        if place is not None and place[1] > min(len(seats[place[0]].coatls), MAX_COATLS - 1):
            return replace(normalized, editing="").normalize()
        known = place is not None or (self.editing == EDITING_ADAM and self.solo)
        return normalized if known else replace(normalized, editing="")

    @property
    def edited_place(self) -> tuple[int, int] | None:
        """The player and the Cóatl that is being edited, from 0; after the last comes a new one."""
        found = re.fullmatch(r"([1-9])\.([1-9])", self.editing, re.ASCII)
        if not found or int(found[1]) > len(self.seats):
            return None
        return int(found[1]) - 1, int(found[2]) - 1

    @property
    def solo(self) -> bool:
        """Whether it is one player against A.D.A.M. (rule 7.1)."""
        return len(self.seats) == 1

    # What it says, for addresses and forms.

    @property
    def seat_pairs(self) -> QueryPairs:
        """The fields of all players."""
        return tuple(pair for seat in self.seats for pair in list_seat_pairs(seat))

    @property
    def adam_pairs(self) -> QueryPairs:
        """The field of A.D.A.M.'s cards."""
        return (("adam", ".".join(self.adam)),) if self.adam else ()

    @property
    def option_pairs(self) -> QueryPairs:
        """The fields of the options."""
        edition: QueryPairs = (
            (("edition", self.edition),) if self.edition != DEFAULT_EDITION else ()
        )
        flags = tuple((name, "1") for name, flag in _OPTION_FLAGS.items() if getattr(self, flag))
        return edition + flags + tuple(("level", str(level)) for level in self.levels)

    @property
    def query_pairs(self) -> QueryPairs:
        """All fields of the address."""
        at: QueryPairs = (("at", self.editing),) if self.editing else ()
        return self.seat_pairs + self.adam_pairs + self.option_pairs + at

    @property
    def query(self) -> str:
        """The query string, without a Cóatl that is being edited."""
        return urlencode(replace(self, editing="").normalize().query_pairs)

    def url(self, **changes: object) -> str:
        """Make the address of this tally with some fields changed."""
        changed = replace(self, **changes) if changes else self  # type: ignore[arg-type] # by name
        pairs = changed.normalize().query_pairs
        return f"/tally?{urlencode(pairs)}" if pairs else "/tally"

    # Changes.

    def with_coatls(self, seat: int, more: Iterable[WrittenCoatl]) -> TallyDraft:
        """Return the draft with Cóatls of a player appended."""
        return self.with_seat(seat, coatls=(*self.seats[seat].coatls, *more))

    def with_coatl(self, seat: int, place: int, coatl: WrittenCoatl) -> TallyDraft:
        """Return the draft with a Cóatl changed, or added after the last."""
        coatls = self.seats[seat].coatls
        return self.with_seat(seat, coatls=(*coatls[:place], coatl, *coatls[place + 1 :]))

    def without_coatl(self, seat: int, place: int) -> TallyDraft:
        """Return the draft without a Cóatl."""
        coatls = self.seats[seat].coatls
        return self.with_seat(seat, coatls=coatls[:place] + coatls[place + 1 :])

    def with_seat(self, seat: int, **changes: object) -> TallyDraft:
        """Return the draft with some fields of a player changed."""
        changed = replace(self.seats[seat], **changes)  # type: ignore[arg-type] # fields by name
        return replace(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))

    def without_seat(self, seat: int) -> TallyDraft:
        """Return the draft without a player."""
        return replace(self, seats=self.seats[:seat] + self.seats[seat + 1 :])

    # What the referee makes of it.

    def make_options(self) -> TableOptions:
        """Make the options that a table of this size has; raises OptionError."""
        return TableOptions.from_data(
            {
                "players": [seat.name for seat in self.seats],
                "edition": self.edition,
                "promo": self.promo,
                "fewer_bodies": self.fewer_bodies and len(self.seats) in FEWER_BODIES_BY_PLAYERS,
                "golden_feathers": self.golden_feathers and not self.solo,
                "closed_ends": self.closed_ends,
                "levels": [*self.levels] if self.solo else [],
            }
        )

    def make_tally(self, catalog: Catalog) -> Tally:
        """Make the tally to be scored; CoatlError says what cannot be read, and where."""
        options = self.make_options()
        seats = tuple(
            TallySeat(
                build_seat_coatls(seat, catalog), seat.golden if options.golden_feathers else 0
            )
            for seat in self.seats
        )
        return Tally(options, seats, self.adam if options.solo else ())


def list_seat_pairs(seat: DraftSeat) -> QueryPairs:
    """List the fields of a player."""
    coatls = tuple(("coatl", str(coatl)) for coatl in seat.coatls)
    golden: QueryPairs = (("golden", str(seat.golden)),) if seat.golden else ()
    return (("player", seat.name), *coatls, *golden)


def build_seat_coatls(seat: DraftSeat, catalog: Catalog) -> tuple[Built, ...]:
    """Build a player's Cóatls; PositionError names the one that cannot be read."""
    found = []
    for number, coatl in enumerate(seat.coatls, start=1):
        try:
            found.append(coatl.build(catalog))
        except CoatlError as error:
            rule = error.rule if isinstance(error, PositionError) else ""
            where = ("position.coatl", {"player": seat.name, "coatl": number})
            raise PositionError(error.key, rule, where, **error.details) from error
    return tuple(found)


def _has_coatls(seat: DraftSeat) -> bool:
    return any(coatl != WrittenCoatl() for coatl in seat.coatls)


def _parse_name(text: str) -> str:
    name = text.strip()
    if len(name) > MAX_PLAYER_NAME_LENGTH:
        raise OptionError(
            "options.name", value=name[:MAX_PLAYER_NAME_LENGTH], most=MAX_PLAYER_NAME_LENGTH
        )
    return name


def _parse_fulfilled(text: str, catalog: Catalog) -> tuple[str, ...]:
    cards = [card for card in text.split(".") if card.strip()]
    if len(cards) > MAX_FULFILLED:
        raise RequestError("web.tally_long")
    return tuple(catalog[card].id for card in cards)


def _parse_levels(values: Iterable[str]) -> tuple[int, ...]:
    found = {value for value in values if value}
    if not found <= set(map(str, SOLO_LEVELS)):
        raise OptionError("options.levels", value=", ".join(sorted(found))[:MAX_PLAYER_NAME_LENGTH])
    return tuple(sorted(map(int, found)))

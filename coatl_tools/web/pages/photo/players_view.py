"""Whose each Cóatl of a photo is: as it was read or said, and links to say it otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coatl_tools.language import Language
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import MAX_PLAYERS
from coatl_tools.vision.corrections.correction import SetPlayer
from coatl_tools.web.pages.photo.correction_links import PhotoLinks
from coatl_tools.web.pages.photo.photo_address import TallyReturn
from coatl_tools.web.pages.photo.reading_view import PhotoCoatlView
from coatl_tools.web.pages.tally.result_view import choose_marker_colour


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player, counted from 1, with the name and the marker that the tally gives them."""

    number: int
    name: str
    colour: Colour
    initial: str  # what is written on the marker


@dataclass(frozen=True, slots=True)
class OwnedCoatl:
    """A Cóatl, its player if that is clear, and addresses that give it to others."""

    coatl: PhotoCoatlView
    owner: int | None  # from 0
    moves: tuple[tuple[PlayerName, str], ...]


@dataclass(frozen=True, slots=True)
class PhotoPlayer:
    """A player with the Cóatls that the photo shows of them."""

    player: PlayerName
    coatls: tuple[OwnedCoatl, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PlayersView:
    """The players of a photo, those Cóatls that may be anybody's, and the tally of all.

    `tally` is empty as long as it is not clear whose a Cóatl is.
    """

    players: tuple[PhotoPlayer, ...]
    unclear: tuple[OwnedCoatl, ...]
    tally: str
    all_mine: str  # the address at which all of them are the first player's, if they are not

    @property
    def owners(self) -> dict[int, PlayerName]:
        """The player of each Cóatl, by its number."""
        return {one.coatl.number: own.player for own in self.players for one in own.coatls}


def build_players_view(
    links: PhotoLinks, coatls: Sequence[PhotoCoatlView], tally: TallyReturn, language: Language
) -> PlayersView | None:
    """Build the view of the players; None if there are not several Cóatls."""
    coatls = [coatl for coatl in coatls if coatl.tallied]
    if len(coatls) < 2:
        return None
    owners = [links.session.reading.coatls[coatl.number - 1].player for coatl in coatls]
    known = {owner for owner in owners if owner is not None}
    count = min(MAX_PLAYERS, max(known, default=0) + 2)  # one more may be there
    names = [
        PlayerName(
            index + 1,
            name := tally.name_player(index, language),
            choose_marker_colour(tally.find_seat(index)),
            name[:1].upper() if tally.player else str(index + 1),
        )
        for index in range(count)
    ]

    def list_moves(number: int, owner: int | None) -> tuple[tuple[PlayerName, str], ...]:
        others = [name for name in names if name.number - 1 != owner]
        return tuple((name, links.url(SetPlayer(number, name.number))) for name in others)

    owned = [
        OwnedCoatl(coatl, owner, list_moves(coatl.number, owner))
        for coatl, owner in zip(coatls, owners, strict=True)
    ]
    players = []
    for index in sorted(known):
        own = tuple(one for one in owned if one.owner == index)
        points = sum(one.coatl.scored.total for one in own if one.coatl.scored is not None)
        players.append(PhotoPlayer(names[index], own, points))
    unclear = tuple(one for one in owned if one.owner is None)
    given = {own.player.number - 1: [o.coatl.tallied for o in own.coatls] for own in players}
    all_mine = [SetPlayer(one.coatl.number, 1) for one in owned if one.owner != 0]
    return PlayersView(
        tuple(players),
        unclear,
        "" if unclear else tally.tally_url(given, language),
        links.link(*all_mine) if all_mine else "",
    )

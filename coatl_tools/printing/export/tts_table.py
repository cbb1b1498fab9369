"""The table that players find in Tabletop Simulator: what lies where, and what it is called."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_level
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.component import Face, Item
from coatl_tools.printing.contents import Order
from coatl_tools.printing.export import tts_objects as tts
from coatl_tools.printing.export.decks import Deck
from coatl_tools.printing.export.single_pieces import SinglePiece
from coatl_tools.printing.export.tts_objects import UNIT, CardSheet, Object, Spot, Words
from coatl_tools.printing.export.tts_sheets import Sheet

GAP = 0.8  # units between things on the table
AROUND = 1.0  # millimetres that a picture is transparent around what the game cuts out
CARD = (63.5 / UNIT, 88.9 / UNIT)
SIDES = CARD[1] + GAP  # how far decks and bags reach up and down beside the boards
Address = Callable[[str], str]  # of the picture with a name


class Table:
    """Lays the objects of a game; `address` tells where a picture will be found."""

    def __init__(self, order: Order, address: Address) -> None:
        self._order = order
        self._language = order.design.language
        self._address = address
        self._guid = tts.Guids()
        self._cards = {card.id: card for card in order.cards}

    def deck(self, deck: Deck, sheets: Sequence[Sheet], spot: Spot) -> Object:
        """A deck, face down, with all its cards."""
        kind = deck.kind.value
        pages = {
            sheet.key: CardSheet(
                self._address(sheet.name), self._address(f"{kind}-back"), sheet.columns, sheet.rows
            )
            for sheet in sheets
        }
        cards = [
            tts.card(
                self._guid(f"{sheet.name}/{index}/{item.name}"),
                self._card_words(self._cards[item.name]),
                spot,
                sheet.key * 100 + index,
                pages[sheet.key],
            )
            for sheet in sheets
            for index, item in enumerate(sheet.items)
        ]
        words = Words(self._language.label(kind), tags=(kind,))
        return tts.deck(self._guid(f"deck/{kind}"), words, spot, cards, pages)

    def _card_words(self, card: Card) -> Words:
        levels = [describe_level(card, level, self._language) for level in card.levels]
        text = "\n".join([describe_card(card, self._language.code), *levels])
        colour = (card.colour.word,) if card.colour is not None else ()
        return Words(card.id, text, (card.kind.value, *colour, card.set))

    def bag(self, kind: PieceKind, pieces: Sequence[SinglePiece], spot: Spot) -> Object:
        """The bag of the heads, the bodies or the tails (rule 1.2)."""
        contents = [
            tts.cut_out(
                self._guid(f"{piece.name}/{copy}"),
                self._piece_words(piece),
                Spot(spot.x, spot.z),
                piece.face.height,
                self._address(piece.name),
            )
            for piece in pieces
            if piece.kind is kind
            for copy in range(piece.count)
        ]
        key = {
            PieceKind.HEAD: "export_bag_heads",
            PieceKind.BODY: "export_bag_bodies",
            PieceKind.TAIL: "export_bag_tails",
        }[kind]
        words = Words(self._language.label(key), tags=(kind.value,))
        return tts.bag(self._guid(f"bag/{kind.value}"), words, spot, contents)

    def _piece_words(self, piece: SinglePiece) -> Words:
        if piece.colour is None:
            name = self._language.sentence("pieces.golden", {})
            return Words(_capital(name), tags=(piece.kind.value, "golden"))
        key = {
            PieceKind.HEAD: "pieces.head",
            PieceKind.BODY: "pieces.body",
            PieceKind.TAIL: "pieces.tail",
        }
        name = self._language.sentence(key[piece.kind], {"colour": piece.colour})
        return Words(_capital(name), tags=(piece.kind.value, piece.colour.word))

    def flat(self, item: Item, names: dict[str, str], words: Words, spot: Spot, n: int) -> Object:
        """A board or a token with its two sides."""
        front = self._address(names[item.front.key])
        guid = self._guid(f"{item.name}/{n}")
        if is_cut_out(item):
            return tts.cut_out(guid, words, spot, item.front.height + 2 * AROUND, front)
        back = self._address(names[item.back.key]) if item.back is not None else front
        shape = tts.CIRCLE if is_round(item.front) else tts.BOX
        return tts.tile(guid, words, spot, item.front.height, front, back, shape)

    def boards_and_tokens(
        self, boards: Sequence[Item], tokens: Sequence[Item], names: dict[str, str]
    ) -> Iterator[Object]:
        """The common boards in the middle, a place for each player below, the rest above."""
        say = self._language.label
        common = [item for item in boards if "player" not in item.name]
        own = [item for item in boards if "player" in item.name]
        kinds = self._order.components.sacrifice_tokens.tokens
        sacrifice = [item for item in tokens if _kind_of(item, kinds)]
        rest = [item for item in tokens if not _kind_of(item, kinds)]

        spots = row([item.front for item in common], 0)
        for n, (item, spot) in enumerate(zip(common, spots, strict=True)):
            words = Words(say("supply_board"), tags=("board",))
            yield self.flat(item, names, words, spot, n)
        below = -max(tallest(common) / 2, SIDES) - GAP
        top = below - GAP - tallest(sacrifice)
        spots = row([item.front for item in own], top - tallest(own) / 2 - GAP)
        for n, (item, spot) in enumerate(zip(own, spots, strict=True)):
            words = Words(say("export_player_board", number=n + 1), tags=("board",))
            yield self.flat(item, names, words, spot, n)
        seats = spots or [Spot()]
        given: dict[str, int] = {}
        for n, item in enumerate(sacrifice):
            kind = _kind_of(item, kinds)
            seat = given[kind] = given.get(kind, -1) + 1
            wide = item.front.width / UNIT + GAP / 2
            x = seats[seat % len(seats)].x + (kinds.index(kind) - (len(kinds) - 1) / 2) * wide
            spot = Spot(x, below - tallest([item]) / 2)
            yield self.flat(item, names, Words(say(kind), tags=("token",)), spot, n)
        above = max(tallest(common) / 2, SIDES) + GAP + tallest(rest) / 2
        spots = row([item.front for item in rest], above)
        for n, (item, spot) in enumerate(zip(rest, spots, strict=True)):
            yield self.flat(item, names, self._token_words(item), spot, n)

    def _token_words(self, item: Item) -> Words:
        """What the First Player marker and the score markers are called."""
        for colour in Colour:  # rule 1.5: a player's colour is one of these
            if item.name.endswith(colour.word):
                name = self._language.label("export_score_marker", colour=colour)
                return Words(name, tags=("score", colour.word))
        return Words(_capital(self._language.label("first_player")), tags=("token",))


def row(faces: Sequence[Face], z: float) -> list[Spot]:
    """Places side by side, about the middle of the table."""
    widths = [face.width / UNIT for face in faces]
    x = -(sum(widths) + GAP * (len(widths) - 1)) / 2
    spots = []
    for width in widths:
        spots.append(Spot(x + width / 2, z))
        x += width + GAP
    return spots


def tallest(items: Sequence[Item]) -> float:
    """The height of the tallest item, in units."""
    return max((item.front.height / UNIT for item in items), default=0.0)


def is_cut_out(item: Item) -> bool:
    """Whether the game can cut an item out of its picture: it has an outline, and one look."""
    one_look = item.back is None or item.back.key == item.front.key
    return one_look and item.front.outline is not None


def is_round(face: Face) -> bool:
    """Whether a face is cut as a circle."""
    if face.outline is None:
        return False
    middle = (face.width / 2, face.height / 2)
    reaches = [math.dist(middle, point) for line in face.outline.flat() for point in line]
    return max(reaches) - min(reaches) < 0.02 * max(reaches)


def _kind_of(item: Item, kinds: Sequence[str]) -> str:
    """Which Sacrifice token an item is; empty if it is none."""
    plain = item.name.replace("-", "_")
    return next((kind for kind in kinds if kind in plain), "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

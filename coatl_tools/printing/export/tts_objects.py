"""The objects of a Tabletop Simulator table, as its saved objects hold them.

The game keeps an object as JSON: https://kb.tabletopsimulator.com/custom-content/save-file-format/
Its unit of length is about an inch; a flat picture of scale 1 is two units high.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TtsObject = dict[str, Any]
MM_PER_UNIT = 29.0  # millimetres of a unit: a card of scale 1 is then as large as a real one
TILE_HEIGHT = 2.0  # units that a tile of scale 1 is high
# How a bag gives back what is in it: 0 the last first, 1 the first first, 2 at random.
RANDOM_ORDER = 2
BOX_SHAPE, CIRCLE_SHAPE = 0, 2  # shapes of tiles


@dataclass(frozen=True)
class TtsPosition:
    """A place on the table: x to the right, z away from the first player; perhaps face down."""

    x: float = 0.0
    z: float = 0.0
    face_down: bool = False
    y: float = 1.5

    def transform(self, scale: float = 1.0) -> TtsObject:
        """Return the position as the game's `Transform` entry."""
        place = {"posX": round(self.x, 3), "posY": self.y, "posZ": round(self.z, 3)}
        turn = {"rotX": 0.0, "rotY": 180.0, "rotZ": 180.0 if self.face_down else 0.0}
        sizes = dict.fromkeys(("scaleX", "scaleY", "scaleZ"), round(scale, 4))
        return {**place, **turn, **sizes}


@dataclass(frozen=True)
class ObjectText:
    """What a player reads and searches for: name, description, tags."""

    name: str
    description: str = ""
    tags: tuple[str, ...] = ()


class GuidMaker:
    """Makes unique names of six hexadecimal digits, the same in every run."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def __call__(self, text: str) -> str:
        """Return the name of the object that a text describes."""
        number = 0
        while True:
            name = hashlib.sha256(f"{text}#{number}".encode()).hexdigest()[:6]
            if name not in self._taken:
                self._taken.add(name)
                return name
            number += 1


def make_object(
    kind: str, guid: str, object_text: ObjectText, spot: TtsPosition, scale: float = 1.0
) -> TtsObject:
    """Make an object with the fields that every kind has."""
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": spot.transform(scale),
        "Nickname": object_text.name,
        "Description": object_text.description,
        "GMNotes": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Tags": list(object_text.tags),
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "Hands": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }


@dataclass(frozen=True)
class CardSheetEntry:
    """A picture with the faces of up to seventy cards, and the back that they share."""

    face: str
    back: str
    columns: int
    rows: int

    @property
    def entry(self) -> TtsObject:
        """The sheet as an entry of a deck."""
        return {
            "FaceURL": self.face,
            "BackURL": self.back,
            "NumWidth": self.columns,
            "NumHeight": self.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }


def make_card_object(
    guid: str, object_text: ObjectText, spot: TtsPosition, number: int, sheet: CardSheetEntry
) -> TtsObject:
    """Make a card; its number is the key of its sheet, and two digits for the cell."""
    return make_object("Card", guid, object_text, spot) | {
        "Hands": True,
        "HideWhenFaceDown": True,
        "CardID": number,
        "SidewaysCard": False,
        "CustomDeck": {str(number // 100): sheet.entry},
    }


def make_deck_object(
    guid: str,
    object_text: ObjectText,
    spot: TtsPosition,
    cards: Sequence[TtsObject],
    sheets: Mapping[int, CardSheetEntry],
) -> TtsObject:
    """Make a deck, the first card on top; from one card, just that card."""
    if len(cards) == 1:
        return {**cards[0]}
    return make_object("DeckCustom", guid, object_text, spot) | {
        "HideWhenFaceDown": True,
        "SidewaysCard": False,
        "DeckIDs": [one["CardID"] for one in cards],
        "CustomDeck": {str(key): sheet.entry for key, sheet in sheets.items()},
        "ContainedObjects": list(cards),
    }


def make_tile_object(
    guid: str,
    object_text: ObjectText,
    spot: TtsPosition,
    tall: float,
    front: str,
    back: str,
    shape: int = BOX_SHAPE,
) -> TtsObject:
    """Make a flat object with two sides, `tall` millimetres high."""
    return make_object("Custom_Tile", guid, object_text, spot, tall / MM_PER_UNIT / TILE_HEIGHT) | {
        "CustomImage": _make_image(front, back)
        | {"CustomTile": {"Type": shape, "Thickness": 0.1, "Stackable": False, "Stretch": True}}
    }


def make_cut_out_object(
    guid: str, object_text: ObjectText, spot: TtsPosition, tall: float, front: str
) -> TtsObject:
    """Make a flat object in the shape of its picture, which is cut where it is transparent."""
    token = {"Thickness": 0.1, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": False}
    return make_object(
        "Custom_Token", guid, object_text, spot, tall / MM_PER_UNIT / TILE_HEIGHT
    ) | {"CustomImage": _make_image(front, "") | {"CustomToken": token}}


def _make_image(front: str, back: str) -> TtsObject:
    return {
        "ImageURL": front,
        "ImageSecondaryURL": back,
        "ImageScalar": 1.0,
        "WidthScale": 0.0,
    }


def make_bag_object(
    guid: str, object_text: ObjectText, spot: TtsPosition, contents: Sequence[TtsObject]
) -> TtsObject:
    """Make a bag that things are drawn from at random."""
    return make_object("Bag", guid, object_text, spot) | {
        "MaterialIndex": -1,
        "MeshIndex": -1,
        "Bag": {"Order": RANDOM_ORDER},
        "ContainedObjects": list(contents),
    }


def make_saved_object(name: str, note: str, objects: Sequence[TtsObject]) -> TtsObject:
    """Make the content of the saved file."""
    return {
        "SaveName": name,
        "GameMode": name,
        "Date": "",
        "VersionNumber": "",
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "",
        "Sky": "",
        "Note": note,
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": list(objects),
    }

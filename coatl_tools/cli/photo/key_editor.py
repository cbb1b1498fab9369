"""Correct a reading key by key: what is selected, and what each key does to it."""

from __future__ import annotations

from coatl_tools.cards.card import Card
from coatl_tools.cards.search import find_cards
from coatl_tools.cli.photo.rendering import Selection
from coatl_tools.errors import CoatlError, CorrectionError
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.corrections.correction import (
    AddCard,
    AddPiece,
    Correction,
    RemoveCard,
    RemovePiece,
    ReverseCoatl,
    SetCard,
    SetPiece,
)
from coatl_tools.vision.corrections.session import CorrectionSession
from coatl_tools.vision.corrections.syntax import parse_corrections
from coatl_tools.vision.reading import ReadingProblem

ENTER, ESCAPE, BACKSPACE, DELETE, TAB = "enter", "escape", "backspace", "delete", "tab"
LEFT, RIGHT, UP, DOWN = "left", "right", "up", "down"
MAX_CARDS_SHOWN = 8  # cards to pick from
DIGIT_PAUSE_SECONDS = 1.0  # seconds after which a digit begins another number
_COLOUR_KEYS = {colour.name.lower(): colour for colour in Colour}

PIECES_MODE, INSERT_MODE, CARD_MODE, NEW_CARD_MODE, LINE_MODE = (
    "pieces",
    "insert",
    "card",
    "new_card",
    "line",
)


class KeyEditor:
    """What is chosen and typed; `done` once somebody has finished."""

    def __init__(self, session: CorrectionSession) -> None:
        self.session = session
        self.mode = PIECES_MODE
        self.chosen: Selection | None = None
        self.typed = ""
        self.highlight = 0
        self.message: CoatlError | None = None
        self.help = False
        self.done = False
        self.wants_score = False
        self._pressed_at = 0.0
        self._go_to_doubt()

    # What is shown.

    @property
    def doubt(self) -> ReadingProblem | None:
        """The doubt that is asked about: that of what is chosen, or the first one of the rest."""
        doubts = self.session.doubts()
        for doubt in doubts:
            if self._place(doubt) == self.chosen:
                return doubt
        if doubts and self._place(doubts[0]) is None:
            return doubts[0]
        return None

    def found(self) -> list[Card]:
        """The cards that fit what is typed, those that the reader thought of first."""
        first: tuple[str, ...] = ()
        if self.mode == CARD_MODE and self.chosen is not None:
            card = self.session.reading.cards[self.chosen[1]]
            first = (*((card.id,) if card.id else ()), *card.candidates)
        if not self.typed and first:
            return [self.session.catalog[card_id] for card_id in dict.fromkeys(first)]
        return find_cards(self.typed, self.session.cards, first) if self.typed else []

    # Keys.

    def press(self, key: str, at: float = 0.0) -> None:
        """Do what a key says that is pressed at this second; an error changes nothing."""
        self.message = None
        if self.mode == PIECES_MODE and at - self._pressed_at > DIGIT_PAUSE_SECONDS:
            self.typed = ""
        self._pressed_at = at
        try:
            if key == ESCAPE and self.help:
                self.help = False
            elif self.mode == LINE_MODE:
                self._line(key)
            elif self.mode in (CARD_MODE, NEW_CARD_MODE):
                self._card(key)
            elif self.mode == INSERT_MODE:
                self._insert(key)
            else:
                self._piece(key)
        except CoatlError as error:
            self.message = error

    def _piece(self, key: str) -> None:
        low = key.lower()
        if key.isascii() and key.isdigit():
            self._number(key)
            return
        self.typed = ""
        if low in (LEFT, RIGHT):
            self._sideways(1 if low == RIGHT else -1)
        elif low in (UP, DOWN, TAB):
            self._rows(-1 if low == UP else 1)
        elif key == ENTER:
            self._enter()
        elif low in ("a", "c"):
            self._to_cards(low == "a")
        elif not self._anywhere(low) and self.chosen is not None:
            self._on_piece(low, self.chosen[1] + 1, self.chosen[2] + 1)

    def _anywhere(self, key: str) -> bool:
        """Keys that mean the same everywhere; no card or colour begins with one of them."""
        if key == "q":
            self.done = True
        elif key == "u":
            self._undo()
        elif key == "s":
            self.wants_score = True
        elif key == "?":
            self.help = not self.help
        elif key == ":":
            self.mode = LINE_MODE
        else:
            return False
        return True

    def _on_piece(self, key: str, coatl: int, number: int) -> None:
        pieces = self.session.reading.coatls[coatl - 1].pieces
        piece, last = pieces[number - 1], len(pieces)
        if key in _COLOUR_KEYS:
            self._do(SetPiece(coatl, number, _COLOUR_KEYS[key]))
        elif key in ("h", "t"):
            kind = PieceKind.HEAD if key == "h" else PieceKind.TAIL
            told = PieceKind.BODY if piece.kind is kind else kind
            wrong_end = {PieceKind.HEAD: last, PieceKind.TAIL: 1}.get(told)
            then = last + 1 - number if number == wrong_end else number  # which turns it round
            self._do(SetPiece(coatl, number, None, told), then=("piece", coatl - 1, then - 1))
        elif key in ("x", "-", DELETE):
            self._do(RemovePiece(coatl, number))
        elif key in ("+", "i"):
            self.mode = INSERT_MODE
        elif key in ("v", "~"):
            self._do(ReverseCoatl(coatl), then=("piece", coatl - 1, last - number))

    def _insert(self, key: str) -> None:
        """The colour of a piece that was missed behind the chosen one."""
        self.mode = PIECES_MODE
        if key.lower() in _COLOUR_KEYS and self.chosen is not None:
            _, coatl, piece = self.chosen
            missed = AddPiece(coatl + 1, piece + 1, _COLOUR_KEYS[key.lower()])
            self._do(missed, then=("piece", coatl, piece + 1))

    def _line(self, key: str) -> None:
        """A correction as it is written."""
        if key == ESCAPE:
            self._leave_text()
        elif key == ENTER:
            text = self.typed
            if text.strip():
                self._do(*parse_corrections(text, self.session.catalog))
            self._leave_text()
        else:
            self._type(key)

    def _card(self, key: str) -> None:
        found = self.found()
        if not self.typed and self._anywhere(key.lower()):
            return
        if key in (UP, DOWN) and (self.mode == NEW_CARD_MODE or len(found) > 1):
            self.highlight = _wrap_index(self.highlight + (1 if key == DOWN else -1), len(found))
        elif key == ENTER:
            self._pick(found)
        elif key == ESCAPE and self.typed:
            self.typed, self.highlight = "", 0
        elif key == ESCAPE:
            self._to_pieces()
        elif key in (LEFT, RIGHT, TAB, UP, DOWN):
            self._rows(-1 if key in (LEFT, UP) else 1)
        elif key == DELETE and self.mode == CARD_MODE and self.chosen is not None:
            self._do(RemoveCard(self.chosen[1] + 1))
        else:
            self._type(key)
            self.highlight = 0

    def _pick(self, found: list[Card]) -> None:
        """Enter at a card: the one that is highlighted, or on to the next doubt."""
        picked = found[min(self.highlight, len(found) - 1)] if found else None
        if self.mode == NEW_CARD_MODE:
            if picked is not None:
                self._do(AddCard(picked.id, self._beside()))
            else:
                self._go_to_doubt()
        elif self.chosen is not None and picked is not None and (self.typed or self.doubt):
            self._do(SetCard(self.chosen[1] + 1, picked.id))
        elif self.typed:
            raise CorrectionError("fix.no_such_card", text=self.typed)
        else:
            self._enter()

    def _type(self, key: str) -> None:
        if key == BACKSPACE:
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    # What they lead to.

    def _do(self, *corrections: Correction, then: Selection | None = None) -> None:
        """Correct; then on to the next doubt if this settled one, else stay, or go there."""
        before = self.session.doubts()
        self.session.apply(*corrections)
        self.chosen = then or self.chosen
        if len(self.session.doubts()) < len(before) or self.mode == NEW_CARD_MODE:
            self._go_to_doubt()
        else:
            self._stay()

    def _enter(self) -> None:
        """It is right; or on to the next doubt; or nothing is left, and all is done."""
        doubt = self.doubt
        if doubt is not None:
            self.session.confirm(doubt)
            self._go_to_doubt()
        elif self.session.doubts():
            self._go_to_doubt()
        else:
            self.done = True

    def _undo(self) -> None:
        if not self.session.undo():
            raise CorrectionError("fix.no_undo")
        self._stay()

    def _number(self, digit: str) -> None:
        """A piece by its number; a second digit goes on with it, if there is such a piece."""
        if self.chosen is None:
            return
        pieces = len(self.session.reading.coatls[self.chosen[1]].pieces)
        typed = self.typed + digit
        if not 1 <= int(typed) <= pieces:
            typed = digit
        if not 1 <= int(typed) <= pieces:
            self.typed, coatl = "", self.chosen[1] + 1
            raise CorrectionError("fix.no_piece", coatl=coatl, number=int(typed), n=pieces)
        self.chosen = ("piece", self.chosen[1], int(typed) - 1)
        self.typed = typed

    def _sideways(self, step: int) -> None:
        if self.chosen is not None:
            pieces = len(self.session.reading.coatls[self.chosen[1]].pieces)
            self.chosen = ("piece", self.chosen[1], _wrap_index(self.chosen[2] + step, pieces))

    def _rows(self, step: int) -> None:
        """The Cóatl or card above or below."""
        rows = self._all_rows()
        if not rows:
            return
        here = [index for index, row in enumerate(rows) if row[:2] == (self.chosen or ("", 0))[:2]]
        self._choose(rows[min(max(0, here[0] + step), len(rows) - 1) if here else 0])

    def _all_rows(self) -> list[Selection]:
        reading = self.session.reading
        rows: list[Selection] = [("piece", index, 0) for index in range(len(reading.coatls))]
        return rows + [("card", index, 0) for index in range(len(reading.cards))]

    def _to_cards(self, new: bool) -> None:
        if new or not self.session.reading.cards:
            self.mode, self.typed, self.highlight = NEW_CARD_MODE, "", 0
        else:
            self._choose(("card", 0, 0))

    def _to_pieces(self) -> None:
        """Back from the cards: to the Cóatl that the card lies beside, or where we came from."""
        if self.mode == CARD_MODE and self.chosen is not None and self.session.reading.coatls:
            beside = self.session.reading.cards[self.chosen[1]].coatl
            self._choose(("piece", beside or 0, 0))
        else:
            self._stay()

    def _beside(self) -> int | None:
        """The Cóatl that is looked at, for a new card."""
        return self.chosen[1] + 1 if self.chosen is not None and self.chosen[0] == "piece" else None

    def _choose(self, where: Selection | None) -> None:
        self.chosen, self.typed, self.highlight = where, "", 0
        self.mode = CARD_MODE if where is not None and where[0] == "card" else PIECES_MODE

    def _leave_text(self) -> None:
        self.mode, self.typed = PIECES_MODE, ""
        self._stay()

    def _stay(self) -> None:
        """Where we were, as far as it is still there."""
        rows = self._all_rows()
        chosen = self.chosen
        if chosen is None or not any(row[:2] == chosen[:2] for row in rows):
            self._choose(rows[0] if rows else None)
        elif chosen[0] == "piece":
            pieces = len(self.session.reading.coatls[chosen[1]].pieces)
            self._choose(("piece", chosen[1], min(chosen[2], pieces - 1)))
        else:
            self._choose(chosen)

    def _go_to_doubt(self) -> None:
        for doubt in self.session.doubts():
            place = self._place(doubt)
            if place is not None:
                self._choose(place)
                return
        self._choose(None)
        self._stay()

    def _place(self, doubt: ReadingProblem) -> Selection | None:
        if doubt.card is not None:
            return ("card", doubt.card, 0)
        if doubt.coatl is not None:
            return ("piece", doubt.coatl, doubt.piece or 0)
        return None


def _wrap_index(index: int, length: int) -> int:
    return index % length if length else 0

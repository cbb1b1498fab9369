"""Correct a reading key by key: what is selected, and what each key does to it."""

from __future__ import annotations

from coatl_tools.cards.card import Card
from coatl_tools.cards.search import find_cards
from coatl_tools.cli.photo.reading_screen import Selection
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
    parse_corrections,
)
from coatl_tools.vision.corrections.session import CorrectionSession
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
    """What is selected and typed; `done` once somebody has finished."""

    def __init__(self, session: CorrectionSession) -> None:
        self.session = session
        self.mode = PIECES_MODE
        self.selection: Selection | None = None
        self.typed = ""
        self.highlight = 0
        self.message: CoatlError | None = None
        self.help = False
        self.done = False
        self.wants_score = False
        self._pressed_at = 0.0
        self._select_next_problem()

    # For the screen.

    @property
    def current_problem(self) -> ReadingProblem | None:
        """The problem asked about: that of the selection, else a general one if it comes first."""
        problems = self.session.list_open_problems()
        for problem in problems:
            if self._locate(problem) == self.selection:
                return problem
        return problems[0] if problems and self._locate(problems[0]) is None else None

    def find_cards(self) -> list[Card]:
        """Find the cards that fit what is typed, those that the reader thought of first."""
        first: tuple[str, ...] = ()
        if self.mode == CARD_MODE and self.selection is not None:
            first = self.session.reading.cards[self.selection[1]].likely_ids
        if not self.typed:
            return [self.session.catalog[card_id] for card_id in first]
        return find_cards(self.typed, tuple(self.session.catalog), first)

    # Keys.

    def handle_key(self, key: str, at: float = 0.0) -> None:
        """Handle a key, pressed at second `at`; an error becomes the message."""
        self.message = None
        if self.mode == PIECES_MODE and at - self._pressed_at > DIGIT_PAUSE_SECONDS:
            self.typed = ""
        self._pressed_at = at
        try:
            if key == ESCAPE and self.help:
                self.help = False
            elif self.mode == LINE_MODE:
                self._handle_line_key(key)
            elif self.mode in (CARD_MODE, NEW_CARD_MODE):
                self._handle_card_key(key)
            elif self.mode == INSERT_MODE:
                self._handle_insert_key(key)
            else:
                self._handle_piece_key(key)
        except CoatlError as error:
            self.message = error

    def _handle_piece_key(self, key: str) -> None:
        low = key.lower()
        if key.isascii() and key.isdigit():
            self._select_by_number(key)
            return
        self.typed = ""
        if low in (LEFT, RIGHT):
            self._move_sideways(1 if low == RIGHT else -1)
        elif low in (UP, DOWN, TAB):
            self._move_rows(-1 if low == UP else 1)
        elif key == ENTER:
            self._confirm_or_continue()
        elif low in ("a", "c"):
            self._enter_cards(low == "a")
        elif not self._handle_common_key(low) and self.selection is not None:
            self._correct_piece(low, self.selection[1] + 1, self.selection[2] + 1)

    def _handle_common_key(self, key: str) -> bool:
        """Handle a key that means the same in every mode; return False for any other key."""
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

    def _correct_piece(self, key: str, coatl: int, number: int) -> None:
        pieces = self.session.reading.coatls[coatl - 1].pieces
        piece, last = pieces[number - 1], len(pieces)
        if key in _COLOUR_KEYS:
            self._apply(SetPiece(coatl, number, _COLOUR_KEYS[key]))
        elif key in ("h", "t"):
            kind = PieceKind.HEAD if key == "h" else PieceKind.TAIL
            wanted = PieceKind.BODY if piece.kind is kind else kind
            wrong_end = {PieceKind.HEAD: last, PieceKind.TAIL: 1}.get(wanted)
            then = last + 1 - number if number == wrong_end else number  # which reverses the Cóatl
            self._apply(SetPiece(coatl, number, None, wanted), then=("piece", coatl - 1, then - 1))
        elif key in ("x", "-", DELETE):
            self._apply(RemovePiece(coatl, number))
        elif key in ("+", "i"):
            self.mode = INSERT_MODE
        elif key in ("v", "~"):
            self._apply(ReverseCoatl(coatl), then=("piece", coatl - 1, last - number))

    def _handle_insert_key(self, key: str) -> None:
        """Add a piece of this colour, which was missed behind the selected one."""
        self.mode = PIECES_MODE
        if key.lower() in _COLOUR_KEYS and self.selection is not None:
            _, coatl, piece = self.selection
            missed = AddPiece(coatl + 1, piece + 1, _COLOUR_KEYS[key.lower()])
            self._apply(missed, then=("piece", coatl, piece + 1))

    def _handle_line_key(self, key: str) -> None:
        """Edit a correction as it is written; Enter applies it."""
        if key == ESCAPE:
            self._leave_line()
        elif key == ENTER:
            text = self.typed
            if text.strip():
                self._apply(*parse_corrections(text, self.session.catalog))
            self._leave_line()
        else:
            self._edit_text(key)

    def _handle_card_key(self, key: str) -> None:
        found = self.find_cards()
        if not self.typed and self._handle_common_key(key.lower()):
            return
        if key in (UP, DOWN) and (self.mode == NEW_CARD_MODE or len(found) > 1):
            self.highlight = _wrap_index(self.highlight + (1 if key == DOWN else -1), len(found))
        elif key == ENTER:
            self._pick_card(found)
        elif key == ESCAPE and self.typed:
            self.typed, self.highlight = "", 0
        elif key == ESCAPE:
            self._leave_cards()
        elif key in (LEFT, RIGHT, TAB, UP, DOWN):
            self._move_rows(-1 if key in (LEFT, UP) else 1)
        elif key == DELETE and self.mode == CARD_MODE and self.selection is not None:
            self._apply(RemoveCard(self.selection[1] + 1))
        else:
            self._edit_text(key)
            self.highlight = 0

    def _pick_card(self, found: list[Card]) -> None:
        """Take the highlighted card, or go on to the next problem."""
        picked = found[min(self.highlight, len(found) - 1)] if found else None
        if self.mode == NEW_CARD_MODE:
            if picked is not None:
                self._apply(AddCard(picked.id, self._find_coatl_for_card()))
            else:
                self._select_next_problem()
        elif (
            self.selection is not None
            and picked is not None
            and (self.typed or self.current_problem)
        ):
            self._apply(SetCard(self.selection[1] + 1, picked.id))
        elif self.typed:
            raise CorrectionError("fix.no_such_card", text=self.typed)
        else:
            self._confirm_or_continue()

    def _edit_text(self, key: str) -> None:
        if key == BACKSPACE:
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    # What they lead to.

    def _apply(self, *corrections: Correction, then: Selection | None = None) -> None:
        """Apply corrections; then select the next problem if this settled one, else `then`."""
        before = self.session.list_open_problems()
        self.session = self.session.apply(*corrections)
        self.selection = then or self.selection
        if len(self.session.list_open_problems()) < len(before) or self.mode == NEW_CARD_MODE:
            self._select_next_problem()
        else:
            self._keep_selection()

    def _confirm_or_continue(self) -> None:
        """Confirm the current problem, or go on to the next one; without any, be done."""
        problem = self.current_problem
        if problem is not None:
            self.session = self.session.apply(self.session.make_confirmation(problem))
            self._select_next_problem()
        elif self.session.list_open_problems():
            self._select_next_problem()
        else:
            self.done = True

    def _undo(self) -> None:
        before = self.session.undo()
        if before is None:
            raise CorrectionError("fix.no_undo")
        self.session = before
        self._keep_selection()

    def _select_by_number(self, digit: str) -> None:
        """Select a piece by its number; a second digit continues it, if there is such a piece."""
        if self.selection is None:
            return
        pieces = len(self.session.reading.coatls[self.selection[1]].pieces)
        typed = self.typed + digit
        if not 1 <= int(typed) <= pieces:
            typed = digit
        if not 1 <= int(typed) <= pieces:
            self.typed, coatl = "", self.selection[1] + 1
            raise CorrectionError("fix.no_piece", coatl=coatl, number=int(typed), n=pieces)
        self.selection = ("piece", self.selection[1], int(typed) - 1)
        self.typed = typed

    def _move_sideways(self, step: int) -> None:
        if self.selection is not None:
            pieces = len(self.session.reading.coatls[self.selection[1]].pieces)
            self.selection = (
                "piece",
                self.selection[1],
                _wrap_index(self.selection[2] + step, pieces),
            )

    def _move_rows(self, step: int) -> None:
        """Select the Cóatl or card above or below."""
        rows = self._list_rows()
        if not rows:
            return
        here = [
            index for index, row in enumerate(rows) if row[:2] == (self.selection or ("", 0))[:2]
        ]
        self._select(rows[min(max(0, here[0] + step), len(rows) - 1) if here else 0])

    def _list_rows(self) -> list[Selection]:
        reading = self.session.reading
        rows: list[Selection] = [("piece", index, 0) for index in range(len(reading.coatls))]
        return rows + [("card", index, 0) for index in range(len(reading.cards))]

    def _enter_cards(self, new: bool) -> None:
        if new or not self.session.reading.cards:
            self.mode, self.typed, self.highlight = NEW_CARD_MODE, "", 0
        else:
            self._select(("card", 0, 0))

    def _leave_cards(self) -> None:
        """Select the Cóatl that the card lies beside, or what was selected before."""
        if self.mode == CARD_MODE and self.selection is not None and self.session.reading.coatls:
            beside = self.session.reading.cards[self.selection[1]].coatl
            self._select(("piece", beside or 0, 0))
        else:
            self._keep_selection()

    def _find_coatl_for_card(self) -> int | None:
        """Find the number of the selected Cóatl, which a new card lies beside."""
        return (
            self.selection[1] + 1
            if self.selection is not None and self.selection[0] == "piece"
            else None
        )

    def _select(self, where: Selection | None) -> None:
        self.selection, self.typed, self.highlight = where, "", 0
        self.mode = CARD_MODE if where is not None and where[0] == "card" else PIECES_MODE

    def _leave_line(self) -> None:
        self.mode, self.typed = PIECES_MODE, ""
        self._keep_selection()

    def _keep_selection(self) -> None:
        """Move the selection to something that still exists, if it is gone."""
        rows = self._list_rows()
        selection = self.selection
        if selection is None or not any(row[:2] == selection[:2] for row in rows):
            self._select(rows[0] if rows else None)
        elif selection[0] == "piece":
            pieces = len(self.session.reading.coatls[selection[1]].pieces)
            self._select(("piece", selection[1], min(selection[2], pieces - 1)))
        else:
            self._select(selection)

    def _select_next_problem(self) -> None:
        for problem in self.session.list_open_problems():
            place = self._locate(problem)
            if place is not None:
                self._select(place)
                return
        self._select(None)
        self._keep_selection()

    def _locate(self, problem: ReadingProblem) -> Selection | None:
        if problem.card is not None:
            return ("card", problem.card, 0)
        if problem.coatl is not None:
            return ("piece", problem.coatl, problem.piece or 0)
        return None


def _wrap_index(index: int, length: int) -> int:
    return index % length if length else 0

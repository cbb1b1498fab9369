"""A table in progress: what people type happens, the dealer deals, bots play, secrets stay.

>>> import tempfile
>>> from coatl_tools import load_cards
>>> from coatl_tools.referee import Journal, Table, TableHeader
>>> from coatl_tools.rules import TableOptions
>>> folder = tempfile.TemporaryDirectory()
>>> header = TableHeader(TableOptions(players=("Ana", "Bo")), load_cards().deck(), seed=1)
>>> table = Table(Journal.create(f"{folder.name}/evening.jsonl", header))
>>> [str(step.event) for step in table.do("keep 1 2; keep 2 3 4") if step.actor is Actor.PERSON]
['keep P12 P25', 'keep P03 P11 P22']
>>> [str(step.event) for step in table.do("take space 3")]
['take 3']
>>> table.find_undo_consent(1)
<UndoConsent.TURN: 'turn'>
>>> folder.cleanup()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from coatl_tools.errors import CommandError, ConsentError, IllegalActionError
from coatl_tools.language import fold_letters
from coatl_tools.players import choose_move, get_bot
from coatl_tools.referee.commands.command_parser import (
    EventCommand,
    ParsedCommand,
    QueryCommand,
    UndoCommand,
    parse_command,
    split_commands,
)
from coatl_tools.referee.commands.vocabulary import format_command, get_command_word
from coatl_tools.referee.journal import AppliedEntry, Journal
from coatl_tools.rules import events
from coatl_tools.rules.actions.turns import is_secret_draw, make_draw_answer
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.event_messages import Viewer
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    AdamTurn,
    Discard,
    Event,
    Keep,
    PlaceProphecy,
    PlaceTemple,
    parse_event,
)
from coatl_tools.rules.history import CorrectEvent, DoEvent, History, HistoryEntry, UndoTo
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import OVER, GameState
from coatl_tools.rules.views import View, make_open_view, make_view

MAX_BOT_EVENTS = 50  # moves of bots that are written together


class UndoConsent(Enum):
    """The consent that an undo needs: it is graded by what was seen."""

    FREE = "free"
    TURN = "turn"  # a turn has ended since
    SEEN = "seen"  # something hidden has been seen since


_CONSENT_MESSAGES = {UndoConsent.TURN: "table.consent_turn", UndoConsent.SEEN: "table.consent_seen"}


class Actor(Enum):
    """Who made something happen."""

    PERSON = "person"
    DEALER = "dealer"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class TableStep:
    """Something that happened: the states before and after it; `event` is None for an undo.

    `corrects` is the number of the event that really was this one, 0 for what is new.
    """

    before: GameState
    event: Event | None
    after: GameState
    actor: Actor
    corrects: int = 0


class Table:
    """A table in progress: its journal and its bots, what each player sees, what people do."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        names = journal.header.bots or ("",) * len(journal.header.options.players)
        self.bots = tuple(get_bot(name) if name else None for name in names)

    @classmethod
    def open(cls, path: Path | str) -> Table:
        """Open a table to go on with it; FileError or JournalError if that is not possible."""
        return cls(Journal.open(path))

    @property
    def name(self) -> str:
        """The table's name."""
        return self.journal.path.stem

    @property
    def history(self) -> History:
        """All that happened."""
        return self.journal.history

    @property
    def state(self) -> GameState:
        """The game as it is now."""
        return self.journal.history.state

    @property
    def is_virtual(self) -> bool:
        """Whether the dealer draws, and not people."""
        return self.journal.header.seed is not None

    @property
    def human_seats(self) -> tuple[int, ...]:
        """The seats that people sit on."""
        return tuple(seat for seat, bot in enumerate(self.bots) if bot is None)

    @property
    def default_seat(self) -> int:
        """The seat that asks if nobody says which: whoever is to play, or the only one there is."""
        return self.state.current_player if self.state.current_player < len(self.bots) else 0

    def make_view(self, seat: int | None) -> View:
        """Make the view of a player; None for what lies open.

        At a table with real pieces, all that the referee was told lies open; after a game,
        everything does.
        """
        if (seat is None and not self.is_virtual) or self.state.stage is OVER:
            return make_open_view(self.state)
        return make_view(self.state, seat)

    def find_seat(self, player: str | None) -> int | None:
        """Find a player's seat by name or number; None for None, CommandError if there is none."""
        if player is None:
            return None
        players = self.journal.header.options.players
        names = [fold_letters(name) for name in players]
        if fold_letters(player) in names:
            return names.index(fold_letters(player))
        if player in map(str, range(1, len(names) + 1)):
            return int(player) - 1
        raise CommandError("commands.no_player", name=player[:40], names=", ".join(players))

    def find_viewer(self, player: str | None) -> int | None:
        """Find whose eyes to look through: the player named, or the only one at a virtual table.

        None for what everybody may see.
        """
        if player is None and self.is_virtual and len(self.human_seats) == 1:
            return self.human_seats[0]
        return self.find_seat(player)

    def guess_viewer(self) -> int | None:
        """Guess who types if nobody says so: whoever is to play, or the only person there is."""
        if self.state.current_player in self.human_seats:
            return self.state.current_player
        return self.human_seats[0] if len(self.human_seats) == 1 else None

    def get_viewer(self, seat: int | None) -> Viewer:
        """Return whose knowledge a player is told: at a real table, and after the game, all."""
        return "all" if not self.is_virtual or self.state.stage is OVER else seat

    def list_known_actions(self, seat: int | None) -> Iterable[Event]:
        """List what may be decided, as far as this player, or (None) everybody, may know."""
        if seat is not None or not self.is_virtual:
            return self.make_view(seat).legal
        turn = self.state.current_player
        if turn not in self.human_seats:
            return ()
        own_cards = (Discard, Keep, PlaceProphecy, PlaceTemple)
        return [event for event in self.make_view(turn).legal if not isinstance(event, own_cards)]

    def do(
        self, *lines: str, lang: str = "en", seat: int | None = None, force: bool = False
    ) -> list[TableStep]:
        """Run all commands of these lines, or none of them.

        With `seat`, only on that player's turn. An undo that needs the consent of the table is
        refused, unless `force` says that there is consent. Raises CommandError,
        IllegalActionError, HistoryError, or what `Journal.append` raises.
        """
        if not self.human_seats:
            raise CommandError("table.only_bots", name=self.name)
        session = _CommandBatch(self, lang, seat, force)
        session.advance_automatically()
        for line in lines:
            for text in split_commands(line):
                session.run_command(text)
        self.journal.append_applied(session.applied)
        return session.table_steps

    def undo(self, steps: int, lang: str = "en", force: bool = False) -> list[TableStep]:
        """Take back the last events of people; see `do` for `force` and for what it raises."""
        command = f"{get_command_word('undo', lang)} {steps}"
        return self.do(command, lang=lang, force=force)

    def advance_automatically(self, bots: bool = True) -> list[TableStep]:
        """Play what needs no person: draws of a virtual table, and some moves of bots."""
        session = _CommandBatch(self, "en", None, False)
        session.advance_automatically(MAX_BOT_EVENTS, bots)
        if session.applied:
            self.journal.append_applied(session.applied)
        return session.table_steps

    def find_undo_consent(self, steps: int) -> UndoConsent:
        """Tell which consent is needed to take back so many events."""
        return find_needed_consent(
            self.history, find_undo_target(self.history, steps, self.is_automatic)
        )

    def reload_if_changed(self) -> list[TableStep] | None:
        """Read the file again if another program wrote to it; return what happened, else None."""
        if not self.journal.has_changed_on_disk():
            return None
        known, self.journal = self.journal, Journal.open(self.journal.path)
        history, begin = known.history, len(known.entries)
        if self.journal.entries[:begin] != known.entries:  # another table lies there now
            return [TableStep(history.state, None, self.state, Actor.PERSON)]
        steps = []
        for entry in self.journal.entries[begin:]:
            before, history = history, history.after(entry)
            steps.append(_make_step(before, entry, history, Actor.PERSON))
        return steps

    def choose_automatic_events(self, history: History) -> tuple[tuple[Event, ...], Actor] | None:
        """Choose the events that come next without a person; None if people are awaited.

        A bot makes a whole move, which is played until something is drawn.
        """
        state, seed = history.state, self.journal.header.seed
        awaited = get_awaited(state)
        if awaited is None:
            return None
        if not isinstance(awaited, Decision):
            if seed is not None:
                return (deal_draw(state, seed),), Actor.DEALER
            if is_secret_draw(awaited, state):
                return (make_draw_answer(awaited, UNKNOWN_CARD),), Actor.DEALER
            return None
        bot = self.bots[awaited.player] if awaited.player < len(self.bots) else None
        if bot is not None and seed is not None:
            return choose_move(state, awaited.player, bot, seed).events, Actor.BOT
        if awaited.player >= len(self.bots) and not self.human_seats:
            return (AdamTurn(),), Actor.BOT
        return None

    def is_automatic(self, state: GameState) -> bool:
        """Tell whether nobody at the table decides or reports what happens at this moment."""
        if state.draws:
            return self.is_virtual or is_secret_draw(state.draws[0], state)
        seat = state.current_player
        return not self.human_seats or (seat < len(self.bots) and self.bots[seat] is not None)


class _CommandBatch:
    """Commands that happen together: what they lead to, before anything is written."""

    def __init__(self, table: Table, lang: str, seat: int | None, force: bool) -> None:
        self.table, self.lang, self.seat, self.force = table, lang, seat, force
        self.history = table.history
        self.applied: list[AppliedEntry] = []
        self.table_steps: list[TableStep] = []
        self.last_coatl = 0

    def run_command(self, text: str) -> None:
        """Run one command, and what follows from it by itself."""
        try:
            self._run_parsed(parse_command(text, self.history, self.lang, self.last_coatl))
        except IllegalActionError as error:
            # put the alternative into this language; drop it if it could betray the next player's
            # cards
            known = (
                self.history.state.current_player == self.table.state.current_player
                or not self.table.is_virtual
            )
            advice = error.alternative if known else ""
            error.alternative = format_command(parse_event(advice), self.lang) if advice else ""
            raise

    def _run_parsed(self, command: ParsedCommand) -> None:
        match command:
            case EventCommand(found):
                for event in found:
                    self._check_seat()
                    self._append(DoEvent(event), Actor.PERSON)
                    self.last_coatl = getattr(event, "coatl", 0) or self._find_spoken_coatl(event)
                    self.advance_automatically()
            case UndoCommand(steps):
                self._undo(steps)
            case CorrectEvent():
                if self.table.is_virtual:
                    raise CommandError("table.dealer")
                self._append(command, Actor.PERSON)
                self.advance_automatically()
            case QueryCommand(about, _):
                raise CommandError("table.only_looks", word=get_command_word(about, self.lang))

    def advance_automatically(self, most: int = 10**6, bots: bool = True) -> None:
        """Play draws of a virtual table, secret draws of a real one, and moves of bots."""
        while most > 0:
            answer = self.table.choose_automatic_events(self.history)
            if answer is None or (answer[1] is Actor.BOT and not bots):
                return
            chosen, by = answer
            for event in chosen:
                self._append(DoEvent(event), by)
                most -= 1
                if self.history.state.draws:  # chance has its say before the rest of a move
                    break

    def _append(self, entry: HistoryEntry, by: Actor) -> None:
        before = self.history
        self.history = self.history.after(entry)
        self.applied.append(AppliedEntry(entry, self.history))
        self.table_steps.append(_make_step(before, entry, self.history, by))

    def _find_spoken_coatl(self, event: Event) -> int:
        """Find the Cóatl that is spoken of after an event that names none."""
        if str(event).startswith("begin"):
            return len(self.history.state.players[self.history.states[-2].current_player].coatls)
        return self.last_coatl

    def _check_seat(self) -> None:
        awaited = get_awaited(self.history.state)
        if self.seat is None or not isinstance(awaited, Decision):
            return
        if awaited.player != self.seat and awaited.player < len(self.table.bots):
            names = self.history.state.game.names
            raise CommandError(
                "table.not_your_turn", player=names[self.seat], turn=names[awaited.player]
            )

    def _undo(self, steps: int) -> None:
        target = find_undo_target(self.history, steps, self.table.is_automatic)
        needed = find_needed_consent(self.history, target)
        if needed is not UndoConsent.FREE and not self.force:
            raise ConsentError(_CONSENT_MESSAGES[needed])
        if needed is UndoConsent.FREE:
            self._check_seat()  # only whoever plays the turn may undo freely
        self._append(UndoTo(target), Actor.PERSON)
        self.advance_automatically()


def _make_step(before: History, entry: HistoryEntry, after: History, by: Actor) -> TableStep:
    """Describe what an entry changes; a correction, at the moment that it corrects."""
    match entry:
        case DoEvent(event):
            return TableStep(before.state, event, after.state, by)
        case CorrectEvent(number, event):
            states = after.states[number - 1 : number + 1]
            return TableStep(states[0], event, states[1], by, corrects=number)
        case UndoTo():
            return TableStep(before.state, None, after.state, by)


def find_undo_target(
    history: History, steps: int, is_automatic: Callable[[GameState], bool]
) -> int:
    """Return how many events are left when people's last `steps` events are taken back.

    `is_automatic` tells of a state whether nobody at the table decides or reports in it: what
    happens then goes with the event before it. CommandError if there is nothing to take back.
    """
    left = len(history.events)
    for step in range(steps):
        left -= 1
        while left >= 0 and is_automatic(history.states[left]):
            left -= 1
        if left < 0:
            if step:
                raise CommandError("table.undo_most", n=step)
            raise CommandError("table.nothing_to_undo")
    return left


def find_needed_consent(history: History, target: int) -> UndoConsent:
    """Grade what is needed to go back to the moment when so many events had happened."""
    decided = False
    seen = False
    for before, event in zip(history.states[target:-1], history.events[target:], strict=True):
        decided = decided or not before.draws
        seen = seen or (decided and _reveals_hidden(event))
    if seen:
        return UndoConsent.SEEN
    turns = {(state.turns_ended, state.current_player) for state in history.states[target:]}
    if decided and len(turns) > 1:  # also where the setup comes round to the first player
        return UndoConsent.TURN
    return UndoConsent.FREE


def _reveals_hidden(event: Event) -> bool:
    """Tell whether this shows somebody what was hidden."""
    match event:
        case events.DealTemple(card=card) | events.DealProphecy(card=card) | events.DrawnCard(card):
            return card != UNKNOWN_CARD
        case (
            events.FillSpace()
            | events.TurnUpTemple()
            | events.TurnUpProphecy()
            | events.DealAdam()
            | events.Reveal()
        ):
            return True
        case _:
            return False

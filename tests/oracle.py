"""Brute-force reference for scoring a Cóatl: slow, short, and plainly right.

A Cóatl is a word of colour letters from its head end to its tail end ("RBBYG");
`head` and `tail` say whether that end is closed by a head or a tail piece.
Run the file to have it check itself.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, combinations, product
from typing import Literal, NamedTuple

COLOURS = "RGBYK"  # rule 1.1

Colour = tuple[Literal["count", "absent", "no_prophecy"], str]
Run = tuple[Literal["sequence"], tuple[str, ...]]  # tokens: c  c+  *  *+  !c
Multiset = tuple[Literal["multiset"], Mapping[str, int]]
Equal = tuple[Literal["equal"], str, str]
Length = tuple[Literal["length"], int]
Simple = Colour | Run | Multiset | Equal | Length
Requirement = Simple | tuple[Literal["several"], tuple[Simple, ...]]


class Card(NamedTuple):
    """What a card asks for, and the points for each number of occurrences."""

    kind: Literal["prophecy", "temple"]
    colour: str | None
    copies: int
    promo: bool
    requirement: Requirement
    levels: dict[int, int]


# --- one occurrence -----------------------------------------------------------


def _covers(tokens: Sequence[str], pieces: str) -> bool:
    """Whether the tokens, none crossed out, use up exactly these pieces in order."""
    if len(pieces) < len(tokens):
        return False  # every token takes at least one piece
    if not tokens:
        return not pieces
    colour, endless = tokens[0][0], tokens[0].endswith("+")  # rule 4.4
    if colour not in ("*", pieces[0]):
        return False
    rest = pieces[1:]
    return _covers(tokens[1:], rest) or (endless and _covers(tokens, rest))


def _framed(word: str, head: bool, tail: bool, closed_ends: bool) -> str:
    """The word between what lies beyond its ends: "-" no piece, "?" who knows."""
    # Rule 4.5 takes an open end for "no piece there", ruling 9.11 does not.
    left, right = ("-" if end or not closed_ends else "?" for end in (head, tail))
    return left + word + right


def _is_run(tokens: Sequence[str], framed: str, start: int, stop: int) -> bool:
    """Whether framed[start:stop] is an occurrence of the sequence."""
    before, after = tokens[0][0] == "!", tokens[-1][0] == "!"
    shown = tokens[before : len(tokens) - after]
    if not shown or not _covers(shown, framed[start:stop]):
        return False
    # Rule 4.5: the crossed-out neighbours are looked at, not used up.
    if before and framed[start - 1] in (tokens[0][1], "?"):
        return False
    return not (after and framed[stop] in (tokens[-1][1], "?"))


def is_occurrence(
    requirement: Requirement,
    word: str,
    positions: Collection[int],
    head: bool = True,
    tail: bool = True,
    closed_ends: bool = False,
) -> bool:
    """Whether these 1-based positions, in any order, are together one occurrence.

    Never so for a requirement other than a count, a sequence or a multiset.
    """
    places = sorted(set(positions))
    if not places or len(places) < len(positions) or places[0] < 1 or places[-1] > len(word):
        return False
    pieces = [word[place - 1] for place in places]
    match requirement:
        case ("count", colour):
            return pieces == [colour]
        case ("sequence", tokens):
            start, stop = places[0], places[-1] + 1
            framed = _framed(word, head, tail, closed_ends)
            return stop - start == len(places) and _is_run(tokens, framed, start, stop)
        case ("multiset", need):
            return Counter(pieces) == Counter(need)
    return False


# --- the largest number of occurrences that do not overlap (rule 4.2) ---------


def _count_runs(tokens: Sequence[str], framed: str) -> int:
    """Find every occurrence, then search: most[i] is the answer from place i on."""
    end = len(framed) - 1
    most = [0] * (end + 1)
    for start in range(end - 1, 0, -1):
        stops = range(start + 1, end + 1)
        found = [stop for stop in stops if _is_run(tokens, framed, start, stop)]
        # Either no chosen occurrence starts here, or one of those found does.
        most[start] = max([most[start + 1]] + [1 + most[stop] for stop in found])
    return most[1]


def _choices(need: Mapping[str, int], word: str) -> list[frozenset[int]]:
    """Every set of places whose pieces make up the multiset."""
    places = {c: [i for i, piece in enumerate(word) if piece == c] for c in need}
    picks = product(*(combinations(places[c], need[c]) for c in need))
    return [frozenset(chain.from_iterable(pick)) for pick in picks]


def _disjoint(occurrences: Sequence[frozenset[int]], number: int) -> bool:
    """Whether some `number` of the occurrences are pairwise disjoint."""
    return number == 0 or any(
        _disjoint([o for o in occurrences[i:] if not o & chosen], number - 1)
        for i, chosen in enumerate(occurrences, 1)
    )


def _count_multiset(need: Mapping[str, int], word: str) -> int:
    """Search from the largest number that the pieces of each colour could allow."""
    ceiling = min((word.count(c) // n for c, n in need.items() if n), default=0)
    if ceiling == 0:
        return 0
    occurrences = _choices(need, word)
    return next(n for n in range(ceiling, -1, -1) if _disjoint(occurrences, n))


def count(
    requirement: Requirement,
    word: str,
    head: bool = True,
    tail: bool = True,
    closed_ends: bool = False,
    beside: AbstractSet[str] = frozenset(),
) -> int:
    """How often the Cóatl meets the requirement.

    `beside` holds the card colours of the Prophecy cards beside the Cóatl.
    """
    match requirement:
        case ("sequence", tokens):
            return _count_runs(tokens, _framed(word, head, tail, closed_ends))
        case ("count", colour):
            return word.count(colour)  # each piece is an occurrence
        case ("multiset", need):
            return _count_multiset(need, word)
        case ("absent", colour):  # rule 4.6, as the next two
            return int(colour not in word)
        case ("equal", one, other):
            return int(word.count(one) == word.count(other) >= 1)
        case ("length", size):
            return int(len(word) == size)
        case ("no_prophecy", colour):  # rule 10.1
            return int(colour not in beside)
        case ("several", parts):
            return sum(count(part, word, head, tail, closed_ends, beside) >= 1 for part in parts)
    raise ValueError(f"unknown requirement {requirement!r}")


# --- what it is worth ---------------------------------------------------------


def points(levels: Mapping[int, int], n: int) -> tuple[int, int]:
    """The level that n occurrences reach (0: none) and its points (rule 4.7)."""
    reached = [threshold for threshold in sorted(levels) if threshold <= n]
    return len(reached), levels[reached[-1]] if reached else 0


def _extensions(
    word: str, head: bool, tail: bool, closed_ends: bool, size: int
) -> Iterator[tuple[str, bool, bool]]:
    """Every Cóatl made by attaching `size` pieces at the open ends (rule 3.7)."""
    for before in range(size + 1):
        after = size - before
        if (head and before) or (tail and after):
            continue
        # The outermost new piece may be a head (a tail), or not: ruling 9.11 alone asks.
        new_end = (False, True) if closed_ends else (False,)
        heads, tails = new_end if before else (head,), new_end if after else (tail,)
        for new in product(COLOURS, repeat=size):
            longer = "".join(new[:before]) + word + "".join(new[before:])
            for with_head, with_tail in product(heads, tails):
                if not (with_head and with_tail and len(longer) < 3):  # rule 3.10
                    yield longer, with_head, with_tail


def fewest(
    requirement: Requirement,
    word: str,
    target: int,
    head: bool,
    tail: bool,
    closed_ends: bool = False,
    beside: AbstractSet[str] = frozenset(),
    limit: int = 4,
) -> int | None:
    """The fewest pieces to attach until the count is at least `target`.

    0 if it is already, None if `limit` pieces are not enough.
    """
    if count(requirement, word, head, tail, closed_ends, beside) >= target:
        return 0
    for size in range(1, limit + 1):
        for longer, with_head, with_tail in _extensions(word, head, tail, closed_ends, size):
            if count(requirement, longer, with_head, with_tail, closed_ends, beside) >= target:
                return size
    return None


def best_total(
    word: str,
    head: bool,
    tail: bool,
    cards: Mapping[str, Card],
    level3: bool = False,
    closed_ends: bool = False,
) -> int:
    """The most points that cards beside this Cóatl can be worth together.

    At most 4 different Prophecy cards (rule 3.9) and 1 Temple card (rule 3.11),
    each worth something; with `level3` no two of one card colour (rule 7.10).
    """

    @cache
    def worth(name: str, beside: frozenset[str]) -> int:
        card = cards[name]
        n = count(card.requirement, word, head, tail, closed_ends, beside)
        return points(card.levels, n)[1]

    # With no card beside it, every "no_prophecy" holds: 0 then is 0 always.
    useful = [name for name in cards if worth(name, frozenset()) > 0]
    prophecies = [name for name in useful if cards[name].kind == "prophecy"]
    temples = [name for name in useful if cards[name].kind == "temple"]
    best = 0
    for size in range(5):
        for chosen in combinations(prophecies, size):
            beside = frozenset(cards[name].colour or "" for name in chosen)
            if level3 and len(beside) < size:
                continue
            values = [worth(name, beside) for name in chosen]
            if 0 not in values:
                temple = max((worth(name, beside) for name in temples), default=0)
                best = max(best, sum(values) + temple)
    return best


# --- the cards ----------------------------------------------------------------

# First id, card colour, points, and one sequence per id from there on.
_SEQUENCES = (
    (6, "black", {1: 2, 2: 5}, [f"!{c} {c} {c} !{c}" for c in "YRKGB"]),
    (11, "black", {1: 3, 2: 7}, [f"{c} {c} {c}" for c in "YRKGB"]),
    (16, "blue", {1: 1, 2: 3, 3: 5}, ["Y G", "R K", "Y B", "G B", "K G", "Y K", "R B"]),
    (23, "blue", {1: 5}, ["K B K B", "Y R Y R", "R G R G"]),
    (26, "yellow", {1: 6}, ["R R R G G", "K K G G G", "Y Y B B B"]),
    (29, "yellow", {1: 4}, ["B B Y Y", "R R B B", "K K Y Y", "G G R R"]),
    (33, "yellow", {1: 7}, ["Y K R G B", "R K B Y G", "K G R B Y"]),
    (36, "green", {1: 2, 2: 6}, ["Y K+ R", "G Y+ K", "Y B+ G", "B G+ K", "R K+ B"]),
    (41, "green", {1: 2, 2: 6}, ["R B+ Y", "G R+ K", "G Y+ G", "B G+ B"]),
    (45, "green", {1: 4}, ["K Y *+ Y K", "G K *+ K G", "K B *+ B K", "Y R *+ R Y", "R B *+ B R"]),
)

_MULTISETS = {"YYGGR": 3, "KKBBR": 3, "RRKKG": 3, "YYKKRB": 4, "GGBBYK": 4, "YYRRGB": 4}

_TEMPLES: tuple[tuple[Simple, ...], ...] = (
    *((("absent", c), ("length", n)) for n, c in enumerate("YKGBR", 7)),
    (("equal", "R", "Y"), ("length", 12)),
    (("equal", "Y", "G"), ("length", 6)),
    (("equal", "B", "K"), ("length", 9)),
    (("equal", "R", "G"), ("length", 6)),
    (("equal", "B", "Y"), ("length", 12)),
    *((("absent", c), ("equal", a, b)) for c, a, b in zip("KBGRY", "BKKBK", "RRYGG", strict=True)),
    (("no_prophecy", "blue"), ("equal", "R", "B"), ("length", 10)),
    (("no_prophecy", "red"), ("equal", "Y", "K")),
    (("no_prophecy", "black"), ("length", 11)),
    (("no_prophecy", "green"), ("length", 8)),
    (("no_prophecy", "yellow"), ("absent", "G")),
)


def _all_cards() -> Iterator[tuple[str, Card]]:
    red = {3: 2, 4: 3, 5: 4, 6: 5}
    for i, colour in enumerate("YRKGB", 1):
        yield f"P{i:02}", Card("prophecy", "red", 2, False, ("count", colour), red)
    for first, card_colour, levels, sequences in _SEQUENCES:
        for i, text in enumerate(sequences, first):
            run: Run = ("sequence", tuple(text.split()))
            yield f"P{i:02}", Card("prophecy", card_colour, 1, False, run, levels)
    for i, (letters, value) in enumerate(_MULTISETS.items(), 50):
        pieces: Multiset = ("multiset", dict(Counter(letters)))
        yield f"P{i:02}", Card("prophecy", "red", 1, True, pieces, {1: value})
    for i, parts in enumerate(_TEMPLES, 1):
        levels = {1: 3, 2: 7} if len(parts) == 2 else {1: 3, 2: 6, 3: 10}
        yield f"T{i:02}", Card("temple", None, 1, i > 15, ("several", parts), levels)


CARDS: dict[str, Card] = dict(_all_cards())


def self_test() -> None:
    """Assert what can be known without this module."""
    assert len(CARDS) == 75
    base = [card for card in CARDS.values() if not card.promo]
    copies = Counter(card.colour for card in base for _ in range(card.copies))  # rule 1.3
    assert copies == {"red": 10, "black": 10, "blue": 10, "yellow": 10, "green": 14, None: 15}

    example = {"P29": (1, 4), "P10": (3, 5), "P05": (6, 5), "T03": (1, 3)}  # rule 5.4
    for name, (n, value) in example.items():
        assert count(CARDS[name].requirement, "BBRBBKRBBYY") == n
        assert points(CARDS[name].levels, n)[1] == value
    assert best_total("BBRBBKRBBYY", True, True, {name: CARDS[name] for name in example}) == 17

    by_hand = {
        "R R+ R": {"RR": 0, "RRR": 1, "RRRRR": 1, "RRRRRR": 2},
        "R *+ R": {"RR": 0, "RRR": 1, "RGRGR": 1, "RGRRGR": 2},
        "R+ !R": {"RRR": 1, "RRGR": 2, "GG": 0},
        "!R R+ !R": {"RRR": 1, "RRGR": 2, "RRGGRRR": 2},
        "R+ R+": {"R": 0, "RRR": 1, "RRRR": 2},
        "* R": {"R": 0, "RRR": 1, "GRRR": 2, "RGR": 1},
    }
    for text, counts in by_hand.items():
        run: Run = ("sequence", tuple(text.split()))
        assert {word: count(run, word) for word in counts} == counts
    pair = CARDS["P06"].requirement
    assert count(pair, "YYG", head=False) == 1  # rule 4.5
    assert count(pair, "YYG", head=False, closed_ends=True) == 0  # ruling 9.11

    # A multiset count is exact: one more disjoint occurrence is nowhere to be had.
    needs = [Counter(pieces) for pieces in ("YYGGR", "GGBBYK", "R", "RR", "RG", "RRG")]
    for letters in product(COLOURS, repeat=6):
        word = "".join(letters)
        for need in needs:
            found = _choices(need, word)
            assert not _disjoint(found, _count_multiset(need, word) + 1)


if __name__ == "__main__":
    self_test()

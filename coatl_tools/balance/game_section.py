"""Games on the page: who plays and wins, scores, lengths, Cóatls, turns, A.D.A.M. and bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from coatl_tools.balance.figures import Figures, Group, Players, Spread
from coatl_tools.balance.html import Cell, Html, figure, paragraph, table, tag
from coatl_tools.balance.plots import Plot
from coatl_tools.balance.source import Source
from coatl_tools.balance.words import DASH, Words
from coatl_tools.rules.options import TableOptions

Plots = Mapping[str, Plot]
Rows = list[tuple[bool, Sequence[Cell]]]


def summary_section(figures: Figures, sources: Sequence[Source], words: Words) -> str:
    """Which games these are, and who won."""
    rows: Rows = [
        (
            False,
            [
                Cell(source.name),
                Cell(words.group(Group(len(source.plan.players)))),
                _number(source.plan.games, words),
                Cell(_bots(source)),
                Cell(str(source.plan.seed)),
                Cell(_options(source, words)),
            ],
        )
        for source in sources
    ]
    columns = [
        words.label("balance_folder"),
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_bots"),
        words.label("balance_seed"),
        words.label("balance_options"),
    ]
    text = table(words.label("balance_sources"), columns, rows)
    if _mixed(sources):
        text += paragraph(words.label("balance_mixed"), "notice")
    return text + _victories(figures, words)


def _bots(source: Source) -> str:
    counted = Counter(source.plan.players)
    return ", ".join(f"{n} × {name}" for name, n in counted.items())


def _options(source: Source, words: Words) -> str:
    """Those that are not as they usually are."""
    return (
        ", ".join(f"{name}: {value}" for name, value in source.unusual(words.language.code)) or DASH
    )


def _mixed(sources: Sequence[Source]) -> bool:
    """Whether games of as many players are put together that were played by different rules."""
    played: dict[int, TableOptions] = {}
    options = [source.plan.options for source in sources]
    return any(played.setdefault(len(one.players), one) != one for one in options)


def _victories(figures: Figures, words: Words) -> str:
    rows: Rows = []
    for found in figures.groups:
        group = words.group(found.group)
        for seat in found.seats:
            rows.append((False, _won(group, _seat(seat, found.group.solo, words), seat, words)))
        if found.adam is not None:
            rows.append((False, _won(group, "A.D.A.M.", found.adam, words)))
        if found.shared:
            share = words.part(found.shared, found.games)
            cells = [Cell(group), Cell(words.label("balance_shared")), _number(found.shared, words)]
            rows.append((False, [*cells, Cell(share, found.shared / found.games)]))
    columns = [
        words.label("players"),
        words.label("balance_who"),
        words.label("balance_games"),
        words.label("balance_victories"),
    ]
    return table(words.label("balance_victories_caption"), columns, rows)


def _seat(seat: Players, solo: bool, words: Words) -> str:
    return words.label("balance_player") if solo else words.label("balance_seat", seat=seat.name)


def _won(group: str, who: str, players: Players, words: Words) -> list[Cell]:
    wins = players.wins
    return [
        Cell(group),
        Cell(who),
        _number(players.points.n, words),
        Cell(words.rate(wins), wins.share if wins else None),
    ]


def _number(number: int, words: Words) -> Cell:
    return Cell(words.count(number), number)


def score_section(figures: Figures, plots: Plots, words: Words) -> str:
    """Scores by number of players and seat."""
    rows: Rows = []
    for found in figures.groups:
        group = words.group(found.group)
        for seat in found.seats:
            who = _seat(seat, found.group.solo, words)
            rows.append((False, [Cell(group), Cell(who), *_spread(seat.points, words)]))
        if found.adam is not None:
            spread = found.adam.points
            rows.append((False, [Cell(group), Cell("A.D.A.M."), *_spread(spread, words)]))
    columns = [words.label("players"), words.label("balance_who"), *_spread_columns(words)]
    return _shown([("scores", "balance_caption_boxes")], plots, words) + table(
        words.label("balance_scores_caption"), columns, rows
    )


def _spread_columns(words: Words) -> list[str]:
    return [
        words.label("balance_number"),
        words.label("balance_mean"),
        words.label("balance_least"),
        words.label("balance_quarter"),
        words.label("balance_median"),
        words.label("balance_three_quarters"),
        words.label("balance_most"),
    ]


def _spread(spread: Spread, words: Words) -> list[Cell]:
    if not spread.n:
        return [Cell("0", 0), *[Cell(DASH)] * 6]
    mean = spread.mean
    places = [spread.quantile(part / 4) for part in range(5)]
    return [
        _number(spread.n, words),
        Cell(words.mean(mean, 1), mean.mean if mean else None),
        *(Cell(words.decimal(place, int(place % 1 > 0)), place) for place in places),
    ]


def _shown(drawn: Sequence[tuple[str, str]], plots: Plots, words: Words) -> str:
    figures = [figure(plots.get(name), words.label(caption), words) for name, caption in drawn]
    return tag("div", Html("".join(figures)), class_="plots")


def length_section(figures: Figures, plots: Plots, words: Words) -> str:
    """How long games are, and how they end."""
    lengths: Rows = []
    endings: Rows = []
    for found in figures.groups:
        group = words.group(found.group)
        lengths.append((False, [Cell(group), *_spread(found.turns, words)]))
        shares = [
            Cell(words.part(n, found.games), n / found.games)
            for n in (found.endings.get(key, 0) for key in ("third", "bodies", "passed"))
        ]
        endings.append((False, [Cell(group), _number(found.games, words), *shares]))
    columns = [
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_third"),
        words.label("balance_bodies"),
        words.label("balance_passed"),
    ]
    drawn = [("lengths", "balance_caption_lengths"), ("endings", "balance_caption_endings")]
    return "".join(
        [
            _shown(drawn, plots, words),
            table(
                words.label("balance_length_caption"),
                [words.label("players"), *_spread_columns(words)],
                lengths,
            ),
            table(words.label("balance_endings"), columns, endings),
        ]
    )


def coatl_section(figures: Figures, plots: Plots, words: Words) -> str:
    """How many Cóatls there are, and how long they are."""
    rows: Rows = []
    for found in figures.groups:
        for title, spread in (
            ("balance_coatls_done", found.coatls),
            ("balance_coatls_open", found.unfinished),
            ("balance_pieces", found.pieces),
            ("balance_coatl_points", found.coatl_points),
        ):
            group = words.group(found.group)
            rows.append((False, [Cell(group), Cell(words.label(title)), *_spread(spread, words)]))
    columns = [words.label("players"), words.label("balance_what"), *_spread_columns(words)]
    drawn = [("coatls", "balance_caption_coatls"), ("pieces", "balance_caption_pieces")]
    return _shown(drawn, plots, words) + table(words.label("balance_coatls_caption"), columns, rows)


def turn_section(figures: Figures, plots: Plots, words: Words) -> str:
    """What turns are used for."""
    rows: Rows = []
    for found in figures.groups:
        for bot in found.bots:
            per_player = [
                Cell(words.decimal(n / bot.points.n, 1), n / bot.points.n) for n in bot.uses
            ]
            cells = [Cell(words.group(found.group)), Cell(bot.name), _number(bot.points.n, words)]
            rows.append((False, [*cells, *per_player]))
    columns = [
        words.label("players"),
        words.label("balance_bot"),
        words.label("balance_number"),
        words.label("balance_turns"),
        words.label("balance_takes"),
        words.label("balance_choices"),
        words.label("balance_assemblies"),
        words.label("balance_tokens"),
    ]
    return _shown([("uses", "balance_caption_uses")], plots, words) + table(
        words.label("balance_uses_caption"), columns, rows
    )


def adam_section(figures: Figures, plots: Plots, words: Words) -> str:
    """The solo game, level by level; empty if there was none."""
    rows: Rows = []
    for found in figures.groups:
        if found.adam is None:
            continue
        player, adam = found.seats[0], found.adam
        wins, own, its = player.wins, player.points.mean, adam.points.mean
        rows.append(
            (
                False,
                [
                    Cell(words.group(found.group)),
                    _number(found.games, words),
                    Cell(words.rate(wins), wins.share if wins else None),
                    Cell(words.mean(own, 1), own.mean if own else None),
                    Cell(words.mean(its, 1), its.mean if its else None),
                ],
            )
        )
    if not rows:
        return ""
    columns = [
        words.label("players"),
        words.label("balance_games"),
        words.label("balance_adam_wins"),
        words.label("balance_adam_own"),
        words.label("balance_adam_its"),
    ]
    return _shown([("adam", "balance_caption_rates")], plots, words) + table(
        words.label("balance_adam_caption"), columns, rows
    )


def bot_section(figures: Figures, plots: Plots, words: Words) -> str:
    """Kinds of bots side by side; empty if there is only one."""
    if len(figures.bots) < 2:
        return ""
    rows: Rows = []
    for found in figures.groups:
        for bot in found.bots:
            wins, points = bot.wins, bot.points.mean
            usual = None if found.group.solo else 1 / found.group.size
            rows.append(
                (
                    False,
                    [
                        Cell(words.group(found.group)),
                        Cell(bot.name),
                        _number(bot.points.n, words),
                        Cell(words.rate(wins), wins.share if wins else None),
                        Cell(DASH if usual is None else words.percent(usual), usual),
                        Cell(words.mean(points, 1), points.mean if points else None),
                    ],
                )
            )
    columns = [
        words.label("players"),
        words.label("balance_bot"),
        words.label("balance_number"),
        words.label("balance_victories"),
        words.label("balance_expected"),
        words.label("points"),
    ]
    return _shown([("bots", "balance_caption_bots")], plots, words) + table(
        words.label("balance_bots_caption"), columns, rows
    )

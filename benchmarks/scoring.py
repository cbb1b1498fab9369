"""How fast Cóatls are scored: in batch, one by one, and by the command end to end."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import regex_scorer
from coatl_tools import (
    Card,
    Coatl,
    find_missing_pieces,
    load_cards,
    parse_coatl,
    score_card,
    score_many,
)
from coatl_tools.scoring.score_sheet import score_whole_deck

SEED = 20
ROUNDS = 5


def random_lines(number: int, seed: int = SEED) -> list[str]:
    """Random Cóatls of 3 to 16 pieces, some complete, some not."""
    dice = random.Random(seed)
    lines = []
    for _ in range(number):
        word = "".join(dice.choices("RGBYK", k=dice.randint(3, 16)))
        head, tail = dice.choice(["<", ""]), dice.choice([">", ""])
        lines.append(f"{head}{word}{tail}")
    return lines


def seconds(work: Callable[[], object]) -> float:
    """Return the best of some rounds: other work on the machine only ever slows."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Print the table."""
    cards, lines = list(load_cards()), random_lines(200_000)
    few = lines[:2_000]
    score_line = regex_scorer.make_scorer(cards)
    assert [score_line(line) for line in few] == score_many(few, cards).tolist()

    batch = len(lines) / seconds(lambda: score_many(lines, cards))
    named_peer = len(few) / seconds(lambda: [score_line(line) for line in few])
    print(f"{len(cards)} cards, random Cóatls of 3 to 16 pieces, seed {SEED}, one core")
    print(f"scoring: {batch:.0f} coatls/s")
    print(f"  {batch / named_peer:.1f} × regular expressions in the same run ({named_peer:,.0f})")
    _single_calls(cards, few)
    measure_command(lines)
    _help()


def _single_calls(cards: list[Card], lines: list[str]) -> None:
    """One card on one Cóatl, everything about one Cóatl, and what is missing."""
    coatls = [parse_coatl(line) for line in lines]
    per_card = [_per_call(score_card, coatls, card) for card in cards]
    typical, worst = statistics.median(per_card), max(per_card)
    print(f"scoring single: {typical:.1f} µs a card (slowest card {worst:.1f} µs)")
    some = coatls[:100]
    for name, deck in (("base game", load_cards().deck()), ("all 75", tuple(cards))):
        whole = seconds(partial(_whole, some, deck))
        print(
            f"scoring without cards: {whole / len(some) * 1e3:.2f} ms ({name}, best set included)"
        )
    slow = max(_per_call(_missing, some, card) for card in cards)
    print(f"scoring missing: {slow / 1e3:.2f} ms (slowest card)")


def _per_call(work: Callable[[Coatl, Card], object], coatls: list[Coatl], card: Card) -> float:
    """Microseconds for one call, warm."""
    return seconds(lambda: [work(coatl, card) for coatl in coatls]) / len(coatls) * 1e6


def _whole(coatls: list[Coatl], deck: tuple[Card, ...]) -> None:
    for coatl in coatls:
        score_whole_deck(coatl, deck)


def _missing(coatl: Coatl, card: Card) -> object:
    return find_missing_pieces(coatl, card, card.levels[-1].count)


def measure_command(lines: list[str]) -> None:
    """`coatl score --batch`, from a file to a file; and that memory does not grow with it."""
    memory = []
    with tempfile.TemporaryDirectory() as folder:
        for factor in (1, 5):
            source, target = Path(folder, "in.txt"), Path(folder, "out.txt")
            source.write_text("\n".join(lines * factor) + "\n")
            command = [sys.executable, "-c", _MEASURED, str(source)]
            begin = time.perf_counter()
            with target.open("w") as out:
                done = subprocess.run(
                    command, stdout=out, stderr=subprocess.PIPE, text=True, check=True
                )
            took = time.perf_counter() - begin
            memory.append(int(done.stderr) / 1024)
    rate = len(lines) * 5 / took
    print(f"scoring batch command: {rate:.0f} coatls/s (start-up included, base game, JSON out)")
    print(f"  peak memory {memory[0]:.0f} MB for {len(lines):,} lines, {memory[1]:.0f} MB for 5 ×")


_MEASURED = """
import resource, sys
sys.argv = ["coatl", "score", "--batch", sys.argv[1]]
from coatl_tools.__main__ import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def _help() -> None:
    """Start-up: `coatl --help` beside an interpreter that does nothing."""
    python = seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    command = [sys.executable, "-m", "coatl_tools", "--help"]
    started = seconds(lambda: subprocess.run(command, capture_output=True, check=True))
    print(f"coatl --help: {started:.2f} s (an empty Python: {python:.2f} s)")

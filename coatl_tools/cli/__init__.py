"""The command `coatl`. Commands parse and print; what they do lives elsewhere."""

from __future__ import annotations

import os
import sys

import click

from coatl_tools._version import __version__
from coatl_tools.cli.completion import COMPLETE_VAR
from coatl_tools.cli.lazy_group import LazyGroup
from coatl_tools.cli.shared_options import Settings, find_language_problem, language_option
from coatl_tools.cli.terminal.stdio import configure_stdio, discard_stdout
from coatl_tools.errors import CoatlError, FileError
from coatl_tools.language import load_usable_language

EXIT_BUG = 70
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


_COMMANDS = {
    "advise": (
        "advise:advise",
        "Show the best assembly of this turn, step by step, and what is still missing.",
    ),
    "boards": (
        "boards:boards",
        "List, show, learn or delete Supply boards that are not printed by “coatl print”.",
    ),
    "cards": (
        "cards:cards",
        "List, show and check cards, the game's and your own.",
    ),
    "colours": (
        "colours:colours",
        "List, show or delete colour profiles of your own sets.",
    ),
    "completion": (
        "completion:completion",
        "Complete commands, tables and cards with the Tab key.",
    ),
    "export": (
        "printing:export",
        "Make pictures, decks for card printers, a virtual table, cut files.",
    ),
    "print": (
        "printing:print_game",
        "Make the whole game as PDF files, to print and play.",
    ),
    "read": (
        "read:read",
        "Read the Cóatls and cards in photos: JPEG, PNG, WebP or HEIC.",
    ),
    "report": (
        "report:report",
        "Make a page about the balance of cards, seats and bots.",
    ),
    "score": ("score:score", "Score a Cóatl, explaining every point."),
    "serve": (
        "serve:serve",
        "Serve web pages: score photos, tally, play a table, look at cards, print.",
    ),
    "simulate": (
        "simulate:simulate",
        "Let bots play many games, and count the results.",
    ),
    "table": (
        "table:table",
        "Referee a game, at a real table or a virtual one.",
    ),
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="coatl")
@language_option
@click.pass_obj
def coatl(settings: Settings) -> None:
    """Cards, scoring and a referee for the board game Cóatl.

    Unofficial, for personal use; the game belongs to its publisher.
    """
    problem = find_language_problem()
    if problem is not None:
        language = load_usable_language(settings.lang)
        _print_error_line(language.label("warning", message=problem.text(settings.lang)))


def run() -> int:
    """Run the command line: every error becomes a sentence and an exit code."""
    configure_stdio()
    settings = Settings()
    try:
        return _run(settings)
    except CoatlError as error:
        _print_error(error, settings)
        return error.exit_code
    except OSError as error:  # files to read raise a FileError: this is the output
        discard_stdout()
        if isinstance(error, BrokenPipeError):
            return EXIT_BROKEN_PIPE
        key = "file.output_kept" if settings.done else "file.output"
        failed = FileError(key, reason=error.strerror)
        _print_error(failed, settings)
        return failed.exit_code
    except Exception as error:
        if os.environ.get("COATL_DEBUG"):
            raise
        _print_error_line(
            f"This is a bug in coatl ({type(error).__name__}: {str(error)[:200]}). "
            "Set COATL_DEBUG=1 to see where, and please report it."
        )
        return EXIT_BUG


def _run(settings: Settings) -> int:
    try:
        code = coatl.main(obj=settings, standalone_mode=False, complete_var=COMPLETE_VAR)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return EXIT_INTERRUPTED
    except SystemExit as left:  # how click leaves when it has told a shell what may follow,
        return EXIT_BROKEN_PIPE if left.code else 0  # or whoever reads our output has left


def _print_error(error: CoatlError, settings: Settings) -> None:
    language = load_usable_language(settings.lang)
    message = language.label("error", message=error.text(settings.lang))
    _print_error_line("\n".join([message, *error.pointer_lines()]))


def _print_error_line(line: str) -> None:
    print(line, file=sys.stderr)

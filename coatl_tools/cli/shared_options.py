"""Options that many commands share: language, cards, files, JSON; and the settings that they make.

This module is light: `coatl --help` loads it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from coatl_tools.errors import CoatlError, CommandLineError, FileError
from coatl_tools.files.data_paths import ENGLISH, LANGUAGE_CODES
from coatl_tools.language import Language, choose_language, fold_letters, load_language

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog


class FilePath(click.Path):
    """A path that is not empty, as that would mean the current folder.

    Whether it can be read or written is checked later, with an error in the user's language.
    """

    def __init__(self, allow_dash: bool = False, file_okay: bool = True) -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash, file_okay=file_okay, readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert the path; CommandLineError if it has no name."""
        if value == "":
            raise CommandLineError("file.no_name")
        return super().convert(value, param, ctx)


LANGUAGE_VARIABLE = "COATL_LANG"
FILE_TYPE, FOLDER_TYPE = FilePath(allow_dash=True), FilePath()
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
closed_ends_option = click.option(
    "--closed-ends",
    is_flag=True,
    help="An open end does not count as “no piece there” for a crossed-out piece.",
)
CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


def get_user_cards_folder() -> Path:
    """Return the folder of a player's own cards; every .json file there is used everywhere."""
    # as for load_cards below
    from platformdirs import user_config_path  # noqa: PLC0415

    return user_config_path("coatl", appauthor=False) / "cards"


class Settings:
    """The shared options of one run."""

    def __init__(self) -> None:
        self.lang = _detect_language()
        self.card_files: list[Path] = []
        self.folder = Path()  # that tables are kept in
        self.done = False  # whether what was asked for has been done, whatever is printed of it

    @property
    def language(self) -> Language:
        """The language that the user reads."""
        return load_language(self.lang)

    def own_files(self) -> list[Path]:
        """Return the player's own card files: those of the configuration folder, then --cards."""
        folder = get_user_cards_folder()
        try:
            found = sorted(path for path in folder.iterdir() if _is_card_file(path))
        except (FileNotFoundError, NotADirectoryError):
            found = []
        except OSError as error:
            raise FileError("file.unreadable", path=folder, reason=error.strerror) from None
        return [*found, *self.card_files]

    def catalog(self) -> Catalog:
        """Load all cards in play."""
        # `coatl --help` loads this module, and needs no cards
        from coatl_tools.cards.catalog import load_cards  # noqa: PLC0415

        return load_cards(*self.own_files())


def _is_card_file(path: Path) -> bool:
    return path.suffix == ".json" and not path.name.startswith(".") and path.is_file()


def _detect_language() -> str:
    """Return the language of COATL_LANG, else that of the system, else English."""
    system = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, system), "")  # the first one that is set decides
    return choose_language(os.environ.get(LANGUAGE_VARIABLE, ""), first) or ENGLISH


def find_language_problem() -> CommandLineError | None:
    """Return what is wrong with COATL_LANG, if anything; the system's variables may name any."""
    code = os.environ.get(LANGUAGE_VARIABLE, "")
    if not code or choose_language(code):
        return None
    codes = ", ".join(LANGUAGE_CODES)
    return CommandLineError("language.variable", variable=LANGUAGE_VARIABLE, code=code, codes=codes)


class LanguageCode(click.Choice[str]):
    """The code of a language, with or without a country: `de`, `de_AT`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the language's code alone; click's error if there is no such language."""
        return choose_language(value) or super().convert(value, param, ctx)


def _store_language(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        context.ensure_object(Settings).lang = value


def _store_card_files(context: click.Context, _: click.Parameter, value: tuple[Path, ...]) -> None:
    context.ensure_object(Settings).card_files.extend(value)


language_option = click.option(
    "--lang",
    type=LanguageCode(LANGUAGE_CODES),
    expose_value=False,
    is_eager=True,
    callback=_store_language,
    help=f"Language of cards and messages; otherwise {LANGUAGE_VARIABLE} or the locale decides.",
)

own_cards_option = click.option(
    "--cards",
    metavar="FILE",
    multiple=True,
    type=FILE_TYPE,
    expose_value=False,
    callback=_store_card_files,
    help="A file with your own cards (repeatable). The .json files in the folder “cards” of "
    "your configuration directory are always read.",
)


def shared_options(command: CommandFunction) -> CommandFunction:
    """Add the options that every command with cards has."""
    return language_option(own_cards_option(command))


ShellCompleter: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def make_completer(names: Callable[[click.Context], Iterable[str]]) -> ShellCompleter:
    """Make a shell completer: names that begin like the input, ignoring case and accents."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        try:
            found = list(names(context))
        except CoatlError:
            return []
        return [
            CompletionItem(name)
            for name in found
            if fold_letters(name).startswith(fold_letters(begun))
        ]

    return complete


def _list_card_ids(context: click.Context) -> Iterable[str]:
    return [card.id for card in context.ensure_object(Settings).catalog()]


complete_card = make_completer(_list_card_ids)


def split_card_ids(card_ids: Iterable[str]) -> list[str]:
    """Split card ids as people list them: `P29 P10`, or `P29,P10`."""
    return [card_id for word in card_ids for card_id in word.removesuffix(",").split(",")]


def out_option(*folders: str) -> Callable[[CommandFunction], CommandFunction]:
    """Make the --out option, with a default folder."""
    return click.option(
        "--out",
        metavar="FOLDER",
        type=FOLDER_TYPE,
        default=Path(*folders),
        show_default=True,
        help="The folder to write to.",
    )

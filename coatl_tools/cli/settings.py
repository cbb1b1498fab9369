"""What every command shares: the language, and the cards in play."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from coatl_tools.errors import CoatlError, CommandLineError, FileError
from coatl_tools.resources import CODES

if TYPE_CHECKING:
    from coatl_tools.cards.catalog import Catalog
    from coatl_tools.language import Language


class FilePath(click.Path):
    """A path whose name is not empty, which would be the folder that we are in.

    What cannot be read or written is said later, by the error for it and in the user's language.
    """

    def __init__(self, allow_dash: bool = False) -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash, readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; CommandLineError if it has no name."""
        if value == "":
            raise CommandLineError("file.no_name")
        return super().convert(value, param, ctx)


FILE, FOLDER = FilePath(allow_dash=True), FilePath()
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
Command = TypeVar("Command", bound=Callable[..., Any])


def user_cards_folder() -> Path:
    """Where a player's own cards lie: every .json file there joins every command."""
    from platformdirs import user_config_path

    return user_config_path("coatl", appauthor=False) / "cards"


class Settings:
    """The shared options of one run."""

    def __init__(self) -> None:
        self.lang = _language_of_the_locale()
        self.card_files: list[Path] = []
        self.folder = Path()  # that tables are kept in
        self.done = False  # whether what was asked for has been done, whatever is printed of it

    @property
    def language(self) -> Language:
        """The language that the user reads."""
        from coatl_tools.language import load_language

        return load_language(self.lang)

    def own_files(self) -> list[Path]:
        """The player's own card files: those of the configuration folder, then --cards."""
        folder = user_cards_folder()
        try:
            found = sorted(path for path in folder.iterdir() if _is_card_file(path))
        except (FileNotFoundError, NotADirectoryError):
            found = []
        except OSError as error:
            raise FileError("file.unreadable", path=folder, reason=error.strerror) from None
        return [*found, *self.card_files]

    def catalog(self) -> Catalog:
        """All cards in play."""
        from coatl_tools.cards.catalog import load_cards

        return load_cards(*self.own_files())


def _is_card_file(path: Path) -> bool:
    return path.suffix == ".json" and not path.name.startswith(".") and path.is_file()


def _language_of_the_locale() -> str:
    for variable in ("COATL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return value[:2].lower() if value[:2].lower() in CODES else "en"
    return "en"


def _keep_language(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        context.ensure_object(Settings).lang = value


def _keep_cards(context: click.Context, _: click.Parameter, value: tuple[Path, ...]) -> None:
    context.ensure_object(Settings).card_files.extend(value)


language_option = click.option(
    "--lang",
    type=click.Choice(CODES, case_sensitive=False),
    expose_value=False,
    is_eager=True,
    callback=_keep_language,
    help="Language of cards and messages; otherwise COATL_LANG or the locale decides.",
)

own_cards_option = click.option(
    "--cards",
    metavar="FILE",
    multiple=True,
    type=FILE,
    expose_value=False,
    callback=_keep_cards,
    help="A file with cards of your own (repeatable). The .json files in the folder “cards” of "
    "your configuration directory are always read.",
)


def shared_options(command: Command) -> Command:
    """The options that every command with cards has."""
    return language_option(own_cards_option(command))


Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_names(names: Callable[[click.Context], Iterable[str]]) -> Completer:
    """For the shell: the names that begin like what is typed, small or capital, accents or not."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        from coatl_tools.language import plain

        try:
            found = list(names(context))
        except CoatlError:
            return []
        return [CompletionItem(name) for name in found if plain(name).startswith(plain(begun))]

    return complete


def _card_ids(context: click.Context) -> Iterable[str]:
    return [card.id for card in context.ensure_object(Settings).catalog()]


complete_card = complete_names(_card_ids)


def separate(card_ids: Iterable[str]) -> list[str]:
    """Card ids as people list them: `P29 P10`, or `P29,P10`."""
    return [card_id for word in card_ids for card_id in word.removesuffix(",").split(",")]

"""Options that several commands share: language, cards, JSON, and how a table is played."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from coatl_tools.errors import CoatlError, CommandLineError, FileError
from coatl_tools.resources import EDITIONS, ENGLISH, LANGUAGE_CODES

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


FILE_TYPE, FOLDER_TYPE = FilePath(allow_dash=True), FilePath()
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


def get_user_cards_folder() -> Path:
    """Where a player's own cards lie: every .json file there joins every command."""
    from platformdirs import user_config_path

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
        from coatl_tools.language import load_language

        return load_language(self.lang)

    def own_files(self) -> list[Path]:
        """The player's own card files: those of the configuration folder, then --cards."""
        folder = get_user_cards_folder()
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


def _detect_language() -> str:
    for variable in ("COATL_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGE_CODES else ENGLISH
    return ENGLISH


def _store_language(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        context.ensure_object(Settings).lang = value


def _store_card_files(context: click.Context, _: click.Parameter, value: tuple[Path, ...]) -> None:
    context.ensure_object(Settings).card_files.extend(value)


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGE_CODES, case_sensitive=False),
    expose_value=False,
    is_eager=True,
    callback=_store_language,
    help="Language of cards and messages; otherwise COATL_LANG or the locale decides.",
)

own_cards_option = click.option(
    "--cards",
    metavar="FILE",
    multiple=True,
    type=FILE_TYPE,
    expose_value=False,
    callback=_store_card_files,
    help="A file with cards of your own (repeatable). The .json files in the folder “cards” of "
    "your configuration directory are always read.",
)


def shared_options(command: CommandFunction) -> CommandFunction:
    """The options that every command with cards has."""
    return language_option(own_cards_option(command))


ShellCompleter: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def make_completer(names: Callable[[click.Context], Iterable[str]]) -> ShellCompleter:
    """For the shell: the names that begin like what is typed, small or capital, accents or not."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
        from coatl_tools.language import fold_letters

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
    """Card ids as people list them: `P29 P10`, or `P29,P10`."""
    return [card_id for word in card_ids for card_id in word.removesuffix(",").split(",")]


_BOOLEAN_VALUES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_VARIANT_OPTIONS = (
    click.option("--tokens/--no-tokens", default=True, help="Play with Sacrifice tokens."),
    click.option("--promo", is_flag=True, help="Play with the promo cards too."),
    click.option("--golden", is_flag=True, help="Play with golden segments."),
    click.option("--fewer-bodies", is_flag=True, help="Fewer body segments, for 2 or 3 players."),
    click.option(
        "--rule",
        "rules",
        metavar="NAME=VALUE",
        multiple=True,
        help="Any option of a table by its name (repeatable): `coatl table new` lists them.",
    ),
)


def edition_option(otherwise: str) -> Callable[[CommandFunction], CommandFunction]:
    """Whose rulebook is played, with what holds if nobody says it."""
    choice = click.Choice(EDITIONS, case_sensitive=False)
    return click.option("--edition", type=choice, help=f"Whose rulebook; otherwise {otherwise}.")


def variant_options(command: CommandFunction) -> CommandFunction:
    """What else may be chosen; `collect_variants` tells what it comes to."""
    for option in reversed(_VARIANT_OPTIONS):
        command = option(command)
    return command


def collect_variants(
    settings: Settings,
    edition: str,
    tokens: bool,
    promo: bool,
    golden: bool,
    fewer_bodies: bool,
    rules: tuple[str, ...],
) -> dict[str, Any]:
    """The options of a table by their names; what a --rule says comes first."""
    values: dict[str, Any] = {
        "edition": edition,
        "tokens": tokens,
        "promo": promo,
        "golden_feathers": golden,
        "fewer_bodies": fewer_bodies,
    }
    return values | dict(_parse_rule_option(rule, settings.language) for rule in rules)


def parse_solo_levels(text: str) -> list[int]:
    """The levels of `1,3`; CommandLineError if these are no numbers."""
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 4 for word in words):
        raise CommandLineError("options.levels", value=text[:40])
    return [int(word) for word in words]


def _parse_rule_option(text: str, language: Language) -> tuple[str, Any]:
    """A name, or the number of a ruling, and its value."""
    from coatl_tools.language import parse_yes_or_no
    from coatl_tools.rules.game import OPTION_RULES, TableOptions

    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise CommandLineError("options.rule", text=text[:40])
    name = {rule: option for option, rule in OPTION_RULES.items()}.get(name, name).replace("-", "_")
    default = getattr(TableOptions(), name, None)
    if name == "levels":
        return name, parse_solo_levels(value)
    if isinstance(default, bool):
        truth = _BOOLEAN_VALUES.get(value.lower(), parse_yes_or_no(value, language))
        return name, value if truth is None else truth
    if isinstance(default, int) and value.isdecimal():
        return name, int(value[:9])
    return name, value


def out_option(*folders: str) -> Callable[[CommandFunction], CommandFunction]:
    """Where files are written."""
    return click.option(
        "--out",
        metavar="FOLDER",
        type=FOLDER_TYPE,
        default=Path(*folders),
        show_default=True,
        help="The folder to write to.",
    )

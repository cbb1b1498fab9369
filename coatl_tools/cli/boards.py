"""`coatl boards`: learn, list, show and delete Supply boards that a photo may show."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from coatl_tools.cli.shared_options import (
    FILE_TYPE,
    Settings,
    json_option,
    language_option,
    make_completer,
)
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError, escape_unprintable
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.language import Language
from coatl_tools.vision.boards.learned_boards import (
    DEFAULT_BOARD_NAME,
    LearnedBoard,
    add_learned_board,
    board_to_json,
    check_board_name,
    find_learned_board,
    get_boards_path,
    load_learned_boards,
    parse_places,
    save_learned_boards,
)
from coatl_tools.vision.photo_format import require_opencv


def _list_board_names(_: click.Context) -> Iterable[str]:
    return load_learned_boards(get_boards_path())


@click.command()
@click.argument("name", required=False, shell_complete=make_completer(_list_board_names))
@click.option(
    "--learn",
    "photo",
    metavar="IMAGE",
    type=FILE_TYPE,
    help=f"Learn the board in this photo, under NAME, or “{DEFAULT_BOARD_NAME}”; needs --places.",
)
@click.option(
    "--places",
    metavar="PLACES",
    help="With --learn: the middle of each space in pixels of the photo, “x,y x,y …”: the spaces "
    "for body segments first, then those for heads, then those for tails.",
)
@click.option(
    "--picture",
    metavar="FILE",
    type=FILE_TYPE,
    help="Write what is known of a board to this JPEG: its picture, with its spaces numbered.",
)
@click.option("--delete", is_flag=True, help="Delete this board.")
@json_option
@language_option
@click.pass_obj
def boards(
    settings: Settings,
    name: str | None,
    photo: Path | None,
    places: str | None,
    picture: Path | None,
    delete: bool,
    as_json: bool,
) -> None:
    """List, show, learn or delete Supply boards that are not printed by “coatl print”.

    Photos of a learned board are answers at a table. Without NAME, all boards are listed. The
    page of a table learns a board by tapping its spaces: “Photo of the pieces”.
    """
    if (photo is None) != (places is None):
        raise click.UsageError("--learn and --places need each other.")
    if delete and (photo is not None or picture is not None):
        raise click.UsageError("--delete cannot be combined with --learn or --picture.")
    if photo is not None and places is not None:
        name = DEFAULT_BOARD_NAME if name is None else name.strip()
        shown = {name: _learn(settings, name, photo, places, quiet=as_json)}
    elif delete:
        shown = _delete(settings, name, quiet=as_json)
    else:
        path = get_boards_path()
        known = load_learned_boards(path)
        shown = dict(known) if name is None else {name: find_learned_board(path, name)}
    if picture is not None:
        _write_picture(settings, shown, name, picture, quiet=as_json)
    if as_json:
        print_json({known: board_to_json(one) for known, one in sorted(shown.items())})
        return
    if not shown:
        print(settings.language.label("boards_none"))
    for known_name, board in sorted(shown.items()):
        print(escape_unprintable(known_name))
        _print_covered(board, settings.language)


def _learn(settings: Settings, name: str, photo: Path, places: str, *, quiet: bool) -> LearnedBoard:
    path = get_boards_path()
    spots = parse_places(places)
    check_board_name(name, load_learned_boards(path))
    require_opencv()
    # OpenCV takes long to load: not to list boards
    from coatl_tools.vision.boards.board_learning import learn_board  # noqa: PLC0415
    from coatl_tools.vision.picture import load_picture  # noqa: PLC0415

    board = learn_board(load_picture(photo), spots)
    replaced = add_learned_board(path, name, board)
    settings.done = True
    if not quiet:
        key = "boards_replaced" if replaced else "boards_learned"
        print(settings.language.label(key, name=name, file=path))
    return board


def _delete(settings: Settings, name: str | None, *, quiet: bool) -> dict[str, LearnedBoard]:
    """Delete a board; return the others."""
    if name is None:
        raise CommandLineError("boards.name_missing")
    path = get_boards_path()
    find_learned_board(path, name)
    left = dict(load_learned_boards(path))
    del left[name]
    save_learned_boards(path, left)
    settings.done = True
    if not quiet:
        print(settings.language.label("boards_forgotten", name=name))
    return left


def _write_picture(
    settings: Settings,
    shown: dict[str, LearnedBoard],
    name: str | None,
    file: Path,
    *,
    quiet: bool,
) -> None:
    if name is None:
        raise CommandLineError("boards.name_missing")
    require_opencv()
    # as in _learn
    from coatl_tools.vision.boards.board_learning import draw_places  # noqa: PLC0415
    from coatl_tools.vision.boards.board_pictures import open_learned_picture  # noqa: PLC0415

    board = open_learned_picture(shown[name], name, get_boards_path())
    write_file_atomically(file, draw_places(board))
    if not quiet:
        print(settings.language.label("boards_picture", file=file))


def _print_covered(board: LearnedBoard, language: Language) -> None:
    """Print on which spaces pieces lay when the board was learned."""
    covered = [str(space) for space, bare in enumerate(board.bare, start=1) if not bare]
    if covered:
        print(language.label("boards_covered", spaces=", ".join(covered)))

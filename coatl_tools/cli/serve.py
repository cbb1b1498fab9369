"""`coatl serve`: pages for the phones around the table."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.shared_options import Settings, json_option, own_cards_option
from coatl_tools.cli.table.table_command_options import complete_table, table_options
from coatl_tools.cli.terminal.stdio import can_encode, print_json
from coatl_tools.errors import CommandLineError
from coatl_tools.referee.table_folder import find_table_path

if TYPE_CHECKING:
    from coatl_tools.web.server.app_state import AppState


@click.command()
@click.option("--host", metavar="ADDRESS", help="The address to listen on; otherwise 127.0.0.1.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on (0: any free one); otherwise 8642, or the next free one.",
)
@click.option(
    "--lan",
    is_flag=True,
    help="Let phones on the local network in, with the code that is shown.",
)
@click.option(
    "--table",
    "only",
    metavar="NAME",
    shell_complete=complete_table,
    help="Serve this table and no other.",
)
@json_option
@own_cards_option
@table_options
@click.pass_obj
def serve(
    settings: Settings,
    host: str | None,
    port: int | None,
    lan: bool,
    only: str | None,
    as_json: bool,
) -> None:
    """Serve web pages: score photos, tally, play a table, look at cards, print.

    Only this machine can open them, unless --lan is given. Stop it with Ctrl-C.
    """
    try:
        # Optional packages, and heavy: loaded where the server starts.
        from coatl_tools.web.server.http_server import serve_pages  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandLineError("web.no_packages", package=error.name) from error

    only_table = None if only is None else find_table_path(settings.folder, only).stem
    ready = partial(_print_addresses, settings, as_json)
    serve_pages(settings.folder, settings.catalog(), host, port, lan, only_table, ready)


def _style_qr_code(code: str) -> str:
    """Return a QR code in black and white, whatever the colours of the terminal."""
    if os.environ.get("NO_COLOR"):
        return code
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if line else "" for line in code.split("\n"))


def _print_addresses(settings: Settings, as_json: bool, state: AppState) -> None:
    """Print where the pages are, and who can open them."""
    address, way = state.address, state.make_join_link()
    if as_json:
        code = {"code": way.code, "link": way.link} if address.allow_lan else {}
        print_json(
            {"url": address.url, "local": address.local_url, "lan": address.allow_lan, **code}
        )
    else:
        label = settings.language.label
        print(label("serve_here", url=address.local_url))
        if address.allow_lan:
            print(label("serve_lan", url=address.url, code=way.code))
            if sys.stdout.isatty() and can_encode("█▄▀"):
                print(label("serve_scan"))
                print(_style_qr_code(way.render_terminal()))
            print(label("serve_lan_who"))
        else:
            print(label("serve_alone"))
        print(label("serve_stop"))
    sys.stdout.flush()

"""`coatl completion`: have the shell complete commands, names of tables and cards."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem, get_completion_class

from coatl_tools.cli.shared_options import Settings, language_option
from coatl_tools.errors import CommandLineError, FileError
from coatl_tools.files.atomic_writes import write_file_atomically

SHELLS = ("bash", "zsh", "fish")
COMPLETE_VAR = "_COATL_COMPLETE"  # by which a shell asks what may follow
LINE_COMMENT = "# coatl completion"  # behind every line that is added to a file of the user's
_BASH_COMPLETION_FILES = (  # where systems keep what loads completions by itself
    "/usr/share/bash-completion/bash_completion",
    "/usr/local/share/bash-completion/bash_completion",
    "/opt/homebrew/share/bash-completion/bash_completion",
    "/etc/bash_completion",
)
# Not click's own: it would insert what has a space, such as `take 3`, as several words.
_BASH_SCRIPT = """\
_coatl_completion() {
    local line kind value
    COMPREPLY=()
    while IFS= read -r line; do
        kind=${line%%,*} value=${line#*,}
        case $kind in
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            plain)
                case ${COMP_WORDS[COMP_CWORD]} in
                    [\\"\\']*) COMPREPLY+=("$value") ;;
                    *) COMPREPLY+=("$(printf %q "$value")") ;;
                esac ;;
        esac
    done < <(IFS=$'\\n'; COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        _COATL_COMPLETE=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F _coatl_completion coatl 2>/dev/null ||
    complete -F _coatl_completion coatl  # an old bash
"""


class ShellFiles(NamedTuple):
    """The path of a shell's script, and the lines that load it if the shell does not find it."""

    script: Path
    startup: Path | None = None
    lines: tuple[str, ...] = ()


def _complete_shell(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(shell) for shell in SHELLS if shell.startswith(incomplete)]


_shell_argument = click.argument(
    "shell", metavar="[bash|zsh|fish]", required=False, shell_complete=_complete_shell
)


@click.group()
@language_option
def completion() -> None:
    """Complete commands, tables and cards with the Tab key.

    “install” sets up the shell that you use; “show” prints the script instead.
    """


@completion.command()
@_shell_argument
@language_option
@click.pass_obj
def install(settings: Settings, shell: str | None) -> None:
    """Set up completion of “coatl” in your shell; safe to run again."""
    shell = _choose_shell(shell)
    place, label = _locate_shell_files(shell), settings.language.label
    _write_user_file(place.script, _make_script(shell))
    click.echo(label("completion_script", path=place.script))
    if place.startup is not None:
        before = _read_user_file(place.startup)
        added = "".join(f"{line}  {LINE_COMMENT}\n" for line in place.lines)
        kept = _remove_our_lines(before)
        between = "" if not kept or kept.endswith("\n") else "\n"
        _write_user_file(place.startup, f"{kept}{between}{added}")
        click.echo(label("completion_startup", path=place.startup, mark=LINE_COMMENT))
    click.echo(label("completion_begin", shell=shell))


@completion.command()
@_shell_argument
@language_option
@click.pass_obj
def uninstall(settings: Settings, shell: str | None) -> None:
    """Remove what “install” has written, for one shell or for all."""
    label, found = settings.language.label, False
    for name in SHELLS if shell is None else (_choose_shell(shell),):
        place, startup = _locate_shell_files(name), _locate_startup_file(name)
        if place.script.is_file():
            _remove_user_file(place.script)
            click.echo(label("completion_removed", path=place.script))
            found = True
        before = "" if startup is None else _read_user_file(startup)
        if startup is not None and _remove_our_lines(before) != before:
            _write_user_file(startup, _remove_our_lines(before))
            click.echo(label("completion_cleaned", path=startup))
            found = True
    if not found:
        click.echo(label("completion_none"))


@completion.command()
@click.argument("shell", metavar="bash|zsh|fish", shell_complete=_complete_shell)
@language_option
def show(shell: str) -> None:
    """Print the completion script of a shell."""
    click.echo(_make_script(_choose_shell(shell)), nl=False)


def _choose_shell(named: str | None) -> str:
    """Return the named shell, or else the user's; CommandLineError if it is not supported."""
    name = named if named is not None else Path(os.environ.get("SHELL", "")).name
    if name.lower() not in SHELLS:
        key = "completion.which_shell" if named is None else "completion.no_shell"
        raise CommandLineError(key, shell=name[:40], shells=", ".join(SHELLS))
    return name.lower()


def _make_script(shell: str) -> str:
    if shell == "bash":
        return _BASH_SCRIPT
    found = get_completion_class(shell)
    assert found is not None
    script = found(click.Group(), {}, "coatl", COMPLETE_VAR).source()
    return f"{script.strip()}\n"


def _locate_shell_files(shell: str) -> ShellFiles:
    """Return where a shell finds its script by itself, or the lines that load it."""
    if shell == "fish":
        return ShellFiles(
            _get_user_folder("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / "coatl.fish"
        )
    data = _get_user_folder("XDG_DATA_HOME", ".local/share")
    if shell == "zsh":
        script = data / "coatl" / "zsh" / "_coatl"
        # sourced, not only in fpath: that would come too late behind an earlier compinit
        begun = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }"
        return ShellFiles(script, _locate_startup_file(shell), (begun, _format_source_line(script)))
    script = data / "bash-completion" / "completions" / "coatl"
    if any(Path(path).is_file() for path in _BASH_COMPLETION_FILES):
        return ShellFiles(script)
    return ShellFiles(script, _locate_startup_file(shell), (_format_source_line(script),))


def _format_source_line(script: Path) -> str:
    path = shlex.quote(str(script))
    return f"[ ! -r {path} ] || . {path}"


def _locate_startup_file(shell: str) -> Path | None:
    """Return the startup file of a shell, which may have lines of ours."""
    startups = {"bash": _get_home() / ".bashrc", "zsh": _get_user_folder("ZDOTDIR", "") / ".zshrc"}
    return startups.get(shell)


def _get_home() -> Path:
    """Return the user's home; FileError if it is not known."""
    home = os.environ.get("HOME", "")
    if not home:
        raise FileError("completion.no_home")
    return Path(home)


def _get_user_folder(variable: str, otherwise: str) -> Path:
    """Return the folder that an environment variable names, or its default in the home."""
    moved = Path(os.environ.get(variable, ""))
    return moved if moved.is_absolute() else _get_home() / otherwise


# Files of the user's: as they are to the last byte, but for our lines.


def _read_user_file(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise FileError("file.unreadable", path=path, reason=error.strerror) from error


def _remove_our_lines(text: str) -> str:
    lines: Iterable[str] = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.rstrip().endswith(LINE_COMMENT))


def _write_user_file(path: Path, text: str) -> None:
    """Write a file atomically, following links and keeping its permissions; FileError."""
    if _read_user_file(path) == text:
        return
    try:
        real = path.resolve()
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = real.stat().st_mode & 0o777 if real.exists() else None
        write_file_atomically(real, text.encode("utf-8", "surrogateescape"), mode=mode)
    except (OSError, RuntimeError) as error:  # links that lead in a circle
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError("file.unwritable", path=path, reason=reason) from error


def _remove_user_file(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise FileError("file.unwritable", path=path, reason=error.strerror) from error

"""Questions on the command line: a bad answer is explained, and the question is asked again."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
from collections.abc import Callable
from typing import TypeVar

import click

from coatl_tools.errors import CoatlError, FileError
from coatl_tools.language import Language, parse_yes_or_no

T = TypeVar("T")
MAX_ANSWER_LENGTH = 1 << 16


def print_instruction(text: str) -> None:
    """Print how to answer the questions that follow."""
    width = shutil.get_terminal_size().columns
    click.echo(click.wrap_text(text, max(20, width - 1)), err=True)


def ask_question(question: str, read: Callable[[str], T], lang: str) -> T:
    """Ask until `read` accepts the answer, and return what it makes; a CoatlError is shown.

    Questions and errors go to standard error, so that a result can be piped on. The end of the
    input raises click.Abort.
    """
    while True:
        answer = read_answer(question)
        try:
            return read(answer)
        except CoatlError as error:
            click.echo("\n".join([error.text(lang), *error.pointer_lines()]), err=True)


def confirm_question(question: str, language: Language) -> bool:
    """Ask a question whose answer is yes or no, in the user's language."""
    answer = click.prompt(question, default="", show_default=False, prompt_suffix=" ")
    return parse_yes_or_no(answer, language) is True


def ask_repeatedly(
    question: Callable[[int], str],
    read: Callable[[str, tuple[T, ...]], tuple[T, ...]],
    lang: str,
) -> tuple[T, ...]:
    """Ask until an empty line; `read` gets each answer with the results so far.

    One line may give several results, as a photo does.
    """
    found: tuple[T, ...] = ()

    def read_next(line: str) -> tuple[T, ...]:
        return read(line, found) if line else ()

    while more := ask_question(question(len(found) + 1), read_next, lang):
        found += more
    return found


def read_answer(question: str) -> str:
    """Ask on standard error and read a line; raises click.Abort at the end of the input."""
    if sys.stdin is None:
        raise FileError("file.no_input")
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        with contextlib.suppress(io.UnsupportedOperation):  # somebody has read from it before
            sys.stdin.reconfigure(errors="replace")
    click.echo(f"{question} ", nl=False, err=True)
    line = sys.stdin.readline(MAX_ANSWER_LENGTH)
    if not line.endswith("\n") or not sys.stdin.isatty():
        click.echo(err=True)  # nobody has pressed the key that ends the line
    if not line:
        raise click.Abort
    return line.strip()

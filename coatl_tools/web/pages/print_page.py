"""The pages to print the game: choose what to print, follow the job, download the PDF files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, CommandLineError, UnknownCardError
from coatl_tools.language import Language, list_languages
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.papers import describe_printing_steps, load_sheets_layout
from coatl_tools.printing.print_spec import select_cards
from coatl_tools.web.rendering import get_app_state, get_language, get_session, render_page
from coatl_tools.web.work.jobs import Job, JobState, stream_job_events
from coatl_tools.web.work.print_jobs import (
    PrintedFile,
    PrintRequest,
    make_zip,
    parse_print_request,
    run_print_job,
)

MAX_CARD_LIST_LENGTH = 200  # characters of a list of cards
ZIP_NAME = "coatl.zip"
_CHOICE_FIELDS = ("what", "paper", "language", "theme", "backs")
_LETTER_LOCALES = ("en-us", "en-ca", "fr-ca")  # where A4 is hard to come by
_BACK_LABELS = {
    "duplex-long": "web_print_backs_long",
    "duplex-short": "web_print_backs_short",
    "fold": "web_print_backs_fold",
    "none": "web_print_backs_none",
}


async def show_print_form(request: Request) -> Response:
    """Show the form."""
    only = "".join(char for char in request.query_params.get("only", "") if char.isprintable())
    usual = PrintRequest(
        "cards" if only else "all",
        _guess_paper(request.headers.get("accept-language", "")),
        get_language(request).code,
        only=only[:MAX_CARD_LIST_LENGTH],
    )
    return _form_response(request, usual)


async def start_print_job(request: Request) -> Response:
    """Start a job; the same request again leads to the job that exists."""
    app_state = get_app_state(request)
    form = await request.form(max_files=0, max_fields=16)
    said = {name: str(form.get(name, "")) for name in _CHOICE_FIELDS}
    wished = parse_print_request(
        **said,
        promo="promo" in form,
        golden="golden" in form,
        only=str(form.get("only", ""))[:MAX_CARD_LIST_LENGTH],
    )
    try:
        _select_cards(wished, app_state.catalog)
    except (CommandLineError, UnknownCardError) as error:
        return _form_response(request, wished, error)
    owner = get_session(request).key
    job = app_state.jobs.start_job(
        owner, app_state.print_worker, run_print_job, wished, app_state.catalog, request=wished
    )
    return RedirectResponse(f"/print/{job}", 303)


def _form_response(
    request: Request, chosen: PrintRequest, wrong: CoatlError | None = None
) -> Response:
    """Render the form with what was chosen, and the error if there is one."""
    message = wrong.text(get_language(request).code) if wrong is not None else ""
    values = {
        "chosen": chosen,
        "wrong": message,
        "backs": _BACK_LABELS,
        "languages": list_languages(),
    }
    return render_page(request, "print.html", 400 if message else 200, **values)


async def show_print_job(request: Request) -> Response:
    """Show the progress of a job, or its files."""
    job = _find_job(request)
    language = get_language(request)
    failed = job.error.text(language.code) if job.error is not None else ""
    files = _finished_files(job)
    return render_page(
        request,
        "print_job.html",
        500 if failed else 200,
        job=job,
        files=files,
        zip_name=ZIP_NAME,
        megabytes=partial(_format_megabytes, language),
        failed=failed,
        how=_printing_advice(request, job, files) if files else [],
    )


async def stream_print_events(request: Request) -> Response:
    """Send an event for each new version of the job."""
    job_id = request.path_params["job"]
    return stream_job_events(get_app_state(request).jobs, get_session(request).key, job_id)


async def download_file(request: Request) -> Response:
    """Send a file of the job by its listed name, never as a path; 404 if there is none."""
    files = _finished_files(_find_job(request))
    name = request.path_params["name"]
    if name == ZIP_NAME and len(files) > 1:
        return _attachment_response(ZIP_NAME, make_zip(files), "application/zip")
    for file in files:
        if file.name == name:
            return _attachment_response(file.name, file.data, "application/pdf")
    raise HTTPException(404)


def _attachment_response(name: str, data: bytes, kind: str) -> Response:
    disposition = f'attachment; filename="{name}"'
    return Response(data, media_type=kind, headers={"content-disposition": disposition})


def _find_job(request: Request) -> Job:
    """Find the print job of the address; 404 if there is none, or it is somebody else's."""
    job = get_app_state(request).jobs.find_job(get_session(request).key, request.path_params["job"])
    if not isinstance(job.request, PrintRequest):
        raise HTTPException(404)
    return job


def _finished_files(job: Job) -> Sequence[PrintedFile]:
    return job.value if job.state is JobState.DONE else ()


def _select_cards(wished: PrintRequest, catalog: Catalog) -> Sequence[Card]:
    """Select the cards; CommandLineError or UnknownCardError for a bad list."""
    return select_cards(catalog, wished.only) if wished.only else catalog.deck(wished.promo)


def _printing_advice(request: Request, job: Job, files: Sequence[PrintedFile]) -> list[str]:
    wished: PrintRequest = job.request
    layouts, catalog = Layouts(), get_app_state(request).catalog
    unmarked = 0
    if any(file.title == "print_cards" for file in files):
        chosen = {card.id for card in _select_cards(wished, catalog)}
        unmarked = len(chosen - load_marks_layout(layouts).assign_numbers(catalog).keys())
    duplex = any(file.duplex for file in files)
    layout = load_sheets_layout(layouts)
    return describe_printing_steps(
        get_language(request), layout, wished.paper, wished.backs, duplex, unmarked
    )


def _format_megabytes(language: Language, size: int) -> str:
    """Format a size in megabytes, at least 0.01."""
    shown = language.typography.format_decimal(max(size / 1e6, 0.01), 2)
    return language.label("web_print_megabytes", size=shown)


def _guess_paper(languages: str) -> str:
    """Guess the paper from the browser's first language."""
    first = languages.partition(",")[0].partition(";")[0]
    return "letter" if first.strip().lower() in _LETTER_LOCALES else "a4"


routes = [
    Route("/print", show_print_form),
    Route("/print", start_print_job, methods=["POST"]),
    Route("/print/{job}", show_print_job),
    Route("/print/{job}/events", stream_print_events),
    Route("/print/{job}/{name}", download_file),
]

"""The game as PDF files: what is wanted, how far it is, and the files themselves."""

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
from coatl_tools.language import Language, own_names
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.marks import load_marks
from coatl_tools.printing.paper.advice import advice
from coatl_tools.printing.paper.papers import sheets_layout
from coatl_tools.printing.selection import chosen_cards
from coatl_tools.web.following import following
from coatl_tools.web.rendering import house_of, language_of, page, visitor_of
from coatl_tools.web.work.jobs import Job, State
from coatl_tools.web.work.prints import PrintedFile, Wish, as_zip, make, wish

MOST_TYPED = 200  # characters of a list of cards
ZIP = "coatl.zip"
_RADIOS = ("what", "paper", "language", "theme", "backs")
_LETTER = ("en-us", "en-ca", "fr-ca")  # where A4 is hard to come by
_BACKS = {
    "duplex-long": "web_print_backs_long",
    "duplex-short": "web_print_backs_short",
    "fold": "web_print_backs_fold",
    "none": "web_print_backs_none",
}


async def choose(request: Request) -> Response:
    """What there is to choose from."""
    only = "".join(char for char in request.query_params.get("only", "") if char.isprintable())
    usual = Wish(
        "cards" if only else "all",
        _usual_paper(request.headers.get("accept-language", "")),
        language_of(request).code,
        only=only[:MOST_TYPED],
    )
    return _choices(request, usual)


async def begin(request: Request) -> Response:
    """Have it made; who asks for the same again is led to where it is being made."""
    house = house_of(request)
    form = await request.form(max_files=0, max_fields=16)
    said = {name: str(form.get(name, "")) for name in _RADIOS}
    wished = wish(
        **said,
        promo="promo" in form,
        golden="golden" in form,
        only=str(form.get("only", ""))[:MOST_TYPED],
    )
    try:
        _chosen(wished, house.catalog)
    except (CommandLineError, UnknownCardError) as error:
        return _choices(request, wished, error)
    owner = visitor_of(request).key
    job = house.jobs.begin(owner, house.prints, make, wished, house.catalog, mark=wished)
    return RedirectResponse(f"/print/{job}", 303)


def _choices(request: Request, chosen: Wish, wrong: CoatlError | None = None) -> Response:
    """The page to choose on, with what was chosen, and what is wrong with it."""
    message = wrong.text(language_of(request).code) if wrong is not None else ""
    values = {"chosen": chosen, "wrong": message, "backs": _BACKS, "languages": own_names()}
    return page(request, "print.html", 400 if message else 200, **values)


async def job_page(request: Request) -> Response:
    """How far it is, or the files."""
    job = _job(request)
    words = language_of(request)
    failed = job.error.text(words.code) if job.error is not None else ""
    files = _files(job)
    return page(
        request,
        "print_job.html",
        500 if failed else 200,
        job=job,
        files=files,
        zip_name=ZIP,
        megabytes=partial(_megabytes, words),
        failed=failed,
        how=_advice(request, job, files) if files else [],
    )


async def events(request: Request) -> Response:
    """Whenever it has got further."""
    job_id = request.path_params["job"]
    return following(house_of(request).jobs, visitor_of(request).key, job_id)


async def download(request: Request) -> Response:
    """A file, looked for among those of the job: no name of a request becomes a path."""
    files = _files(_job(request))
    name = request.path_params["name"]
    if name == ZIP and len(files) > 1:
        return _attached(ZIP, as_zip(files), "application/zip")
    for file in files:
        if file.name == name:
            return _attached(file.name, file.data, "application/pdf")
    raise HTTPException(404)


def _attached(name: str, data: bytes, kind: str) -> Response:
    disposition = f'attachment; filename="{name}"'
    return Response(data, media_type=kind, headers={"content-disposition": disposition})


def _job(request: Request) -> Job:
    """The job of the address; WorkError with 404 if it is not this visitor's, or no print."""
    job = house_of(request).jobs.look(visitor_of(request).key, request.path_params["job"])
    if not isinstance(job.mark, Wish):
        raise HTTPException(404)
    return job


def _files(job: Job) -> Sequence[PrintedFile]:
    return job.value if job.state is State.DONE else ()


def _chosen(wished: Wish, catalog: Catalog) -> Sequence[Card]:
    """The cards; CommandLineError or UnknownCardError for a list that makes no sense."""
    return chosen_cards(catalog, wished.only) if wished.only else catalog.deck(wished.promo)


def _advice(request: Request, job: Job, files: Sequence[PrintedFile]) -> list[str]:
    wished: Wish = job.mark
    layouts, catalog = Layouts(), house_of(request).catalog
    unmarked = 0
    if any(file.title == "print_cards" for file in files):
        chosen = {card.id for card in _chosen(wished, catalog)}
        unmarked = len(chosen - load_marks(layouts).numbers(catalog).keys())
    duplex = any(file.duplex for file in files)
    layout = sheets_layout(layouts)
    return advice(language_of(request), layout, wished.paper, wished.backs, duplex, unmarked)


def _megabytes(words: Language, size: int) -> str:
    """A size as people read it; the smallest is not nothing."""
    shown = f"{max(size / 1e6, 0.01):.2f}".replace(".", words.label("decimal_point"))
    return words.label("web_print_megabytes", size=shown)


def _usual_paper(languages: str) -> str:
    """The paper that is sold where a browser's first language is spoken."""
    first = languages.partition(",")[0].partition(";")[0]
    return "letter" if first.strip().lower() in _LETTER else "a4"


routes = [
    Route("/print", choose),
    Route("/print", begin, methods=["POST"]),
    Route("/print/{job}", job_page),
    Route("/print/{job}/events", events),
    Route("/print/{job}/{name}", download),
]

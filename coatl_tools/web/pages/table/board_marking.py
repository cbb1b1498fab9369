"""A Supply board of somebody's own, shown once: photograph it, mark its spaces, save it.

The marks are in the address, so that *Back* takes the last one back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.rules.constants import BODY, HEAD, SPACE_KINDS, TAIL
from coatl_tools.vision.boards.learned_boards import (
    DEFAULT_BOARD_NAME,
    check_board_name,
    check_places,
    parse_places,
)
from coatl_tools.vision.reading import Point
from coatl_tools.web.pages.table.piece_photos import list_known_boards, tell_job_error
from coatl_tools.web.pages.table.seats import require_seat
from coatl_tools.web.pages.table.table_page import make_table_url, open_live_table
from coatl_tools.web.rendering import (
    get_app_state,
    get_language,
    get_session,
    hide_file_paths,
    render_page,
)
from coatl_tools.web.server.live_tables import LiveTable
from coatl_tools.web.work.jobs import Job, JobState
from coatl_tools.web.work.photo_jobs import (
    BoardPhotoResult,
    LearnedBoardResult,
    ShownPhoto,
    check_photo,
    run_board_photo_job,
    run_learn_board_job,
)

_KIND_LABELS = {BODY: "web_board_body", HEAD: "web_board_head", TAIL: "web_board_tail"}
_MARK_SHARE = 0.024  # of the photo's longer side: the radius of a mark
_MAX_FORM_FIELDS = 20


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """The spaces of a board that are marked so far, and the page on which that is done."""

    page: str
    size: tuple[int, int]
    places: tuple[Point, ...] = ()

    @property
    def url(self) -> str:
        """The address of the page with these marks."""
        return _make_marks_url(self.page, self.places)

    @property
    def undo_url(self) -> str:
        """The address with the last mark taken back."""
        return _make_marks_url(self.page, self.places[:-1])

    @property
    def next_space(self) -> int | None:
        """The number of the space to mark next; None if all are marked."""
        return len(self.places) + 1 if len(self.places) < len(SPACE_KINDS) else None

    @property
    def kind_label(self) -> str:
        """The key of the label that says what the next space is for."""
        return _KIND_LABELS[SPACE_KINDS[len(self.places)]]

    @property
    def fields(self) -> list[str]:
        """The marks as fields of a form."""
        return [_format_place(place) for place in self.places]

    @property
    def radius(self) -> int:
        """The radius of a mark, in pixels of the photo."""
        return max(8, round(_MARK_SHARE * max(self.size)))


def _make_marks_url(page: str, places: Iterable[Point]) -> str:
    query = urlencode([("at", _format_place(place)) for place in places], safe=",")
    return f"{page}?{query}" if query else page


def _format_place(place: Point) -> str:
    return f"{place[0]:.0f},{place[1]:.0f}"


async def show_form(request: Request) -> Response:
    """Show the form to take or choose a photo of a board."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    get_app_state(request).warm_up_photos()
    return _render_form(request, live_table)


def _render_form(
    request: Request, live_table: LiveTable, wrong: str = "", status: int = 200
) -> Response:
    most = f"{get_app_state(request).uploads.most / 1e6:g}"
    url = make_table_url(live_table)
    return render_page(request, "table_board.html", status, table_url=url, wrong=wrong, most=most)


async def upload_photo(request: Request) -> Response:
    """Accept a photo of a board, and queue it to be opened."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    app_state, lang = get_app_state(request), get_language(request).code
    try:
        upload = await app_state.uploads.read(request)
        sent = check_photo(upload.data, upload.name)
        job = app_state.jobs.start_job(
            get_session(request).key, app_state.photo_worker, run_board_photo_job, sent
        )
    except CoatlError as error:
        status = error.status if isinstance(error, RequestError) else 422
        return _render_form(request, live_table, error.text(lang), status)
    return RedirectResponse(_make_page_url(live_table, job), 303)


def _make_page_url(live_table: LiveTable, job: str) -> str:
    return f"{make_table_url(live_table)}/board/{job}"


async def show_job(request: Request) -> Response:
    """Show the photo to mark its spaces, or the board once it is learned; or wait, or say why."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    job, url = _find_job(request), make_table_url(live_table)
    page = _make_page_url(live_table, job.id)
    if job.error is not None:
        return _render_form(request, live_table, tell_job_error(request, job.error))
    if job.state is not JobState.DONE:
        return render_page(
            request, "table_photo_wait.html", table_url=url, job=job, page=page, findings=None
        )
    if isinstance(job.value, LearnedBoardResult):
        return _render_learned(request, url, job.id, job.value)
    shown = _require_board_photo(job)
    asked = request.query_params
    texts = asked.getlist("at")
    if asked.get("x") and asked.get("y"):  # typed, not tapped
        texts.append(f"{asked['x']},{asked['y']}")
    marks, wrong = _read_marks(request, page, shown, texts)
    if "x" in asked and not wrong:
        return RedirectResponse(marks.url, 303)
    return _render_marks(request, url, job.id, marks, wrong)


def _require_board_photo(job: Job) -> ShownPhoto:
    """Return the photo of a job; RequestError if it has another one, or none yet."""
    if job.state is not JobState.DONE or not isinstance(job.value, BoardPhotoResult):
        raise RequestError("web.work_gone", 404)
    return job.value.shown


def _find_job(request: Request) -> Job:
    """Find the job of an address; WorkError with 404 if it is gone, or somebody else's."""
    jobs = get_app_state(request).jobs
    return jobs.find_job(get_session(request).key, request.path_params["job"])


def _read_marks(
    request: Request, page: str, shown: ShownPhoto, texts: Sequence[str]
) -> tuple[BoardMarks, str]:
    """Read marks one by one, as far as they can be; also tell what is wrong with the next one."""
    places: tuple[Point, ...] = ()
    for text in texts[: len(SPACE_KINDS)]:
        try:
            more = (*places, *parse_places(text, 1))
            check_places(more, shown.size)
        except CoatlError as error:
            return BoardMarks(page, shown.size, places), error.text(get_language(request).code)
        places = more
    return BoardMarks(page, shown.size, places), ""


def _render_marks(
    request: Request, table_url: str, job: str, marks: BoardMarks, wrong: str, name: str = ""
) -> Response:
    return render_page(
        request,
        "table_board_marks.html",
        400 if wrong else 200,
        table_url=table_url,
        job=job,
        marks=marks,
        wrong=wrong,
        spaces=len(SPACE_KINDS),
        name=name or DEFAULT_BOARD_NAME,
    )


async def learn_board(request: Request) -> Response:
    """Queue a board to be learned, once all of its spaces are marked."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    job, app_state = _find_job(request), get_app_state(request)
    page, shown = _make_page_url(live_table, job.id), _require_board_photo(job)
    sent = await request.form(max_files=0, max_fields=_MAX_FORM_FIELDS)
    texts = [str(value) for key, value in sent.multi_items() if key == "at"]
    name = str(sent.get("name", "")).strip()
    marks, wrong = _read_marks(request, page, shown, texts)
    if not wrong:
        try:
            check_board_name(name, await list_known_boards(request))
            places = parse_places(" ".join(marks.fields))
            learning = app_state.jobs.start_job(
                get_session(request).key,
                app_state.photo_worker,
                run_learn_board_job,
                shown,
                places,
                name,
                app_state.boards_path,
            )
            return RedirectResponse(_make_page_url(live_table, learning), 303)
        except CoatlError as error:
            wrong = hide_file_paths(request, error).text(get_language(request).code)
    url = make_table_url(live_table)
    return _render_marks(request, url, job.id, marks, wrong, name)


def _render_learned(
    request: Request, table_url: str, job: str, learned: LearnedBoardResult
) -> Response:
    covered = [space for space, bare in enumerate(learned.board.bare, start=1) if not bare]
    marks = BoardMarks("", learned.shown.size, learned.board.places)
    return render_page(
        request,
        "table_board_saved.html",
        table_url=table_url,
        job=job,
        name=learned.name,
        marks=marks,
        covered=", ".join(map(str, covered)),
    )


routes = [
    Route("/table/{name}/board", show_form),
    Route("/table/{name}/board", upload_photo, methods=["POST"]),
    Route("/table/{name}/board/{job}", show_job),
    Route("/table/{name}/board/{job}", learn_board, methods=["POST"]),
]

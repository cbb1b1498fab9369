"""A photo of the pieces that were drawn, at a table: take it, see what was read, report it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CardDataError, CoatlError, RequestError
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.boards.learned_boards import load_learned_boards
from coatl_tools.vision.boards.piece_answers import (
    PieceAnswer,
    PieceDoubt,
    answer_fill_draws,
    parse_piece_corrections,
)
from coatl_tools.web.pages.photo.findings_view import build_findings_view
from coatl_tools.web.pages.photo.outlines import build_piece_outlines
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
from coatl_tools.web.work.photo_jobs import PiecePhotoResult, check_photo, run_piece_photo_job

_MAX_CORRECTIONS = 40


async def show_form(request: Request) -> Response:
    """Show the form to take or choose a photo, and start loading the reader."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    get_app_state(request).warm_up_photos()
    return await _render_form(request, live_table)


async def _render_form(
    request: Request, live_table: LiveTable, wrong: str = "", status: int = 200
) -> Response:
    most = f"{get_app_state(request).uploads.most / 1e6:g}"
    url, boards = make_table_url(live_table), tuple[str, ...]()
    try:
        boards = await list_known_boards(request)
    except CoatlError as error:
        wrong = wrong or hide_file_paths(request, error).text(get_language(request).code)
    return render_page(
        request, "table_photo.html", status, table_url=url, wrong=wrong, most=most, boards=boards
    )


async def list_known_boards(request: Request) -> tuple[str, ...]:
    """List the names of the learned boards; CardDataError if their file has mistakes."""
    path = get_app_state(request).boards_path
    return tuple(sorted(await asyncio.to_thread(load_learned_boards, path)))


async def upload_photo(request: Request) -> Response:
    """Accept a photo and queue it to be read."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    app_state, lang = get_app_state(request), get_language(request).code
    try:
        upload = await app_state.uploads.read(request)
        sent = check_photo(upload.data, upload.name)
        job = app_state.jobs.start_job(
            get_session(request).key,
            app_state.photo_worker,
            run_piece_photo_job,
            sent,
            BoardKind.SUPPLY,
            lang,
            app_state.boards_path,
        )
    except CoatlError as error:
        status = error.status if isinstance(error, RequestError) else 422
        return await _render_form(request, live_table, error.text(lang), status)
    return RedirectResponse(f"{make_table_url(live_table)}/photo/{job}", 303)


async def show_job(request: Request) -> Response:
    """Show the photo: waiting, failed, or what was read in it as an answer to be confirmed."""
    live_table = await open_live_table(request)
    require_seat(request, live_table)
    url = make_table_url(live_table)
    job: Job = get_app_state(request).jobs.find_job(
        get_session(request).key, request.path_params["job"]
    )
    if job.error is not None:
        return await _render_form(request, live_table, tell_job_error(request, job.error))
    if job.state is not JobState.DONE:
        page, findings = (
            f"{url}/photo/{job.id}",
            build_findings_view(job.findings, get_language(request)),
        )
        return render_page(
            request,
            "table_photo_wait.html",
            table_url=url,
            job=job,
            page=page,
            findings=findings,
        )
    if not isinstance(job.value, PiecePhotoResult):
        raise RequestError("web.work_gone", 404)
    return await asyncio.to_thread(_render_answer, request, live_table, job.id, job.value)


def tell_job_error(request: Request, error: CoatlError) -> str:
    """Tell what is wrong: the name of a photo is shown, the paths of files only to the host."""
    shown = hide_file_paths(request, error) if isinstance(error, CardDataError) else error
    return shown.text(get_language(request).code)


def _render_answer(
    request: Request, live_table: LiveTable, job: str, seen: PiecePhotoResult
) -> Response:
    """Render what was read, after all corrections, compared with the table as it is now."""
    language, url = get_language(request), make_table_url(live_table)
    fixes = request.query_params.getlist("fix")[:_MAX_CORRECTIONS]
    wrong, answer = "", PieceAnswer({})
    try:
        said = parse_piece_corrections("; ".join(fixes))
        answer = answer_fill_draws(seen.reading, live_table.table.state, said)
    except CoatlError as error:
        wrong = hide_file_paths(request, error).text(language.code)
    page = f"{url}/photo/{job}"
    doubts = [
        (language.sentence(*doubt.phrase), list(_list_fixes(doubt, fixes, page)))
        for doubt in answer.doubts
    ]
    doubtful = {doubt.space for doubt in answer.doubts}
    return render_page(
        request,
        "table_photo_answer.html",
        400 if wrong else 200,
        table_url=url,
        entries=live_table.entries,
        job=job,
        wrong=wrong,
        answer=answer,
        doubts=doubts,
        outlines=build_piece_outlines(seen, doubtful),
        shown=seen.shown,
    )


def _list_fixes(
    doubt: PieceDoubt, fixes: Sequence[str], page: str
) -> Iterable[tuple[tuple[str, ...], str]]:
    """List what a doubtful space may hold, each with the address that says so."""
    for pieces in doubt.choices:
        fields = [*fixes, f"{doubt.space}={''.join(pieces)}"]
        yield pieces, f"{page}?{urlencode([('fix', one) for one in fields])}"


routes = [
    Route("/table/{name}/photo", show_form),
    Route("/table/{name}/photo", upload_photo, methods=["POST"]),
    Route("/table/{name}/photo/{job}", show_job),
]

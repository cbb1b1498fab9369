"""The pages of a photo: upload it, wait, correct the reading, take the Cóatls over into a tally."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CoatlError, RequestError, WorkError
from coatl_tools.vision.corrections.session import replay_corrections
from coatl_tools.web.pages.photo.correction_links import PAGE_LIMITS, PhotoLinks
from coatl_tools.web.pages.photo.findings_view import build_findings_view
from coatl_tools.web.pages.photo.outlines import build_outlines
from coatl_tools.web.pages.photo.photo_address import PhotoAddress, TallyReturn, make_url
from coatl_tools.web.pages.photo.player_flags import build_player_flags
from coatl_tools.web.pages.photo.players_view import build_players_view
from coatl_tools.web.pages.photo.reading_view import build_reading_view
from coatl_tools.web.rendering import get_app_state, get_language, get_session, render_page
from coatl_tools.web.work.jobs import Job, JobState, stream_job_events
from coatl_tools.web.work.photo_jobs import (
    MAX_JOINED_PHOTOS,
    BoardPhotoResult,
    LearnedBoardResult,
    PhotoResult,
    PiecePhotoResult,
    check_photo,
    run_photo_job,
)

PICTURE_SECONDS = 60  # for which a browser need not ask for the same photo again
_NOT_FOUND = 404


async def show_photo_form(request: Request) -> Response:
    """Show the form to take or choose a photo, and start loading the reader."""
    get_app_state(request).warm_up_photos()
    return _form_response(request)


def _form_response(request: Request, wrong: str = "", status: int = 200) -> Response:
    tally_return = TallyReturn.read(request.query_params)
    return render_page(
        request,
        "photo.html",
        status,
        wrong=wrong,
        to=make_url("/photo", tally_return.fields),
        tally_return=tally_return,
        most=_format_upload_limit(request),
    )


def _format_upload_limit(request: Request) -> str:
    """Format how large a photo may be, in megabytes."""
    return f"{get_app_state(request).uploads.most / 1e6:g}"


def render_gone(request: Request) -> Response:
    """Render the form for a new photo, as the one that was asked for is no longer here."""
    return _form_response(request, get_language(request).label("web_photo_gone"), _NOT_FOUND)


async def upload_photo(request: Request) -> Response:
    """Accept a photo and queue it to be read."""
    app_state, tally_return = get_app_state(request), TallyReturn.read(request.query_params)
    try:
        upload = await app_state.uploads.read(request)
        sent = check_photo(upload.data, upload.name)
        job = app_state.jobs.start_job(
            get_session(request).key, app_state.photo_worker, run_photo_job, sent, app_state.catalog
        )
    except CoatlError as error:
        status = error.status if isinstance(error, RequestError) else 422
        return _form_response(request, error.text(get_language(request).code), status)
    return RedirectResponse(PhotoAddress(job, tally_return).url(), 303)


async def show_photo_job(request: Request) -> Response:
    """Show the photo: waiting, failed, or what was read in it."""
    try:
        job = find_photo_job(request)
    except WorkError as error:
        if error.status != _NOT_FOUND:
            raise
        return render_gone(request)
    if job.error is not None:
        return _error_response(request, job.error)
    if job.state is JobState.DONE and not isinstance(job.value, PhotoResult):
        raise RequestError("web.work_gone", _NOT_FOUND)  # of pieces, with a page of its own
    if job.state is JobState.DONE:
        return await asyncio.to_thread(render_reading, request, job.value)
    return _waiting_response(request, job)


def _error_response(request: Request, error: CoatlError) -> Response:
    """Render what is wrong with a photo, and the form for another one.

    If it was to be joined to a reading that is still here, that is what is shown.
    """
    place, wrong = _parse_address(request), error.text(get_language(request).code)
    if not place.before:
        return _form_response(request, wrong)
    return render_page(request, "photo_failed.html", wrong=wrong, place=place)


def _waiting_response(request: Request, job: Job) -> Response:
    """Render how far the job is, with what was found so far."""
    return render_page(
        request,
        "photo_wait.html",
        job=job,
        place=_parse_address(request),
        findings=build_findings_view(job.findings, get_language(request)),
    )


def render_reading(
    request: Request, seen: PhotoResult, refused: str = "", status: int = 200
) -> Response:
    """Render what was read, after all corrections; `refused` says why a photo was not added."""
    catalog, language, place = (
        get_app_state(request).catalog,
        get_language(request),
        _parse_address(request),
    )
    session, errors = replay_corrections(
        seen.reading, catalog, request.query_params.getlist("fix"), PAGE_LIMITS
    )
    wrong = tuple(dict.fromkeys(error.text(language.code) for error in errors))
    if refused:
        wrong = (refused, *wrong)
    links = PhotoLinks(session, place.url)
    said = build_reading_view(links, language)
    players = build_players_view(links, said.coatls, place.tally_return, language)
    several = players is not None and len(players.players) > 1
    whole = (several if place.whole is None else place.whole) or not said.coatls
    return render_page(
        request,
        "photo_reading.html",
        400 if wrong and status == 200 else status,
        wrong=wrong,
        place=place,
        corrections=session.corrections,
        read=said,
        players=players,
        outlines=build_outlines(seen, session.reading, whole),
        flags=build_player_flags(seen, session.reading, players.owners, whole) if players else (),
        whole=whole,
        shown=seen.shown,
        photos=len(seen.joined) + 1,
        may_add=len(seen.joined) + 1 < MAX_JOINED_PHOTOS,
        most=_format_upload_limit(request),
        tally=place.tally_return.tally_url({0: said.tallied}, language) if said.tallied else "",
    )


async def send_photo(request: Request) -> Response:
    """Send the photo itself, to its owner only."""
    job = find_photo_job(request)
    seen = job.value if job.state is JobState.DONE else job.findings
    if not isinstance(seen, PhotoResult | PiecePhotoResult | BoardPhotoResult | LearnedBoardResult):
        raise RequestError("web.work_gone", _NOT_FOUND)
    headers = {
        "cache-control": f"private, max-age={PICTURE_SECONDS}",
        "etag": f'"{seen.shown.mark}"',
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(seen.shown.jpeg, media_type="image/jpeg", headers=headers)


async def stream_photo_events(request: Request) -> Response:
    """Send an event whenever the photo's job has made progress."""
    job_id = request.path_params["job"]
    return stream_job_events(get_app_state(request).jobs, get_session(request).key, job_id)


async def discard_photo(request: Request) -> Response:
    """Discard a photo at once, with those that it was joined to; or only stop reading another."""
    jobs, owner, place = (
        get_app_state(request).jobs,
        get_session(request).key,
        _parse_address(request),
    )
    job = find_photo_job(request)
    jobs.discard_job(owner, job.id)
    if job.state is not JobState.DONE and place.before:
        return RedirectResponse(place.before_url, 303)
    for other in job.value.joined if isinstance(job.value, PhotoResult) else ():
        with contextlib.suppress(WorkError):  # it is gone already
            jobs.discard_job(owner, other)
    return RedirectResponse(place.form, 303)


def find_photo_job(request: Request) -> Job:
    """Find the job of an address; WorkError with 404 if it is gone, or somebody else's."""
    jobs = get_app_state(request).jobs
    return jobs.find_job(get_session(request).key, request.path_params["job"])


def _parse_address(request: Request) -> PhotoAddress:
    return PhotoAddress.read(request.path_params["job"], request.query_params)


routes = [
    Route("/photo", show_photo_form),
    Route("/photo", upload_photo, methods=["POST"]),
    Route("/photo/{job}", show_photo_job),
    Route("/photo/{job}/picture.jpg", send_photo),
    Route("/photo/{job}/events", stream_photo_events),
    Route("/photo/{job}/away", discard_photo, methods=["POST"]),
]

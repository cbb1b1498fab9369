"""Add another photo of a table to one that was read: both are then read as one."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CoatlError, RequestError, WorkError
from coatl_tools.vision.corrections.session import replay_corrections
from coatl_tools.web.pages.photo.correction_links import PAGE_LIMITS
from coatl_tools.web.pages.photo.photo_address import PhotoAddress
from coatl_tools.web.pages.photo.photo_page import (
    find_photo_job,
    render_gone,
    render_reading,
)
from coatl_tools.web.rendering import get_app_state, get_language, get_session
from coatl_tools.web.work.photo_jobs import (
    MAX_JOINED_PHOTOS,
    PhotoResult,
    check_photo,
    run_joined_photo_job,
)


async def add_photo(request: Request) -> Response:
    """Accept another photo of the same table, to be read and joined to the corrected reading."""
    app_state, language = get_app_state(request), get_language(request)
    place = PhotoAddress.read(request.path_params["job"], request.query_params)
    try:
        seen = find_photo_job(request).value
    except WorkError:
        return render_gone(request)
    if not isinstance(seen, PhotoResult):
        return render_gone(request)
    said = request.query_params.getlist("fix")
    session, _ = replay_corrections(seen.reading, app_state.catalog, said, PAGE_LIMITS)
    jobs, number = (*seen.joined, place.job), len(seen.joined) + 2
    try:
        if number > MAX_JOINED_PHOTOS:
            raise RequestError("web.work_photos", 400, most=MAX_JOINED_PHOTOS)
        upload = await app_state.uploads.read(request)
        name = language.label("web_photo_number", number)
        job = app_state.jobs.start_job(
            get_session(request).key,
            app_state.photo_worker,
            run_joined_photo_job,
            replace(check_photo(upload.data, upload.name), name=name),
            replace(seen, reading=session.reading, joined=jobs),
            app_state.catalog,
        )
    except CoatlError as error:
        status = error.status if isinstance(error, RequestError) else 422
        return render_reading(request, seen, error.text(language.code), status)
    corrected = tuple(str(correction) for correction in session.corrections)
    address = PhotoAddress(job, place.tally_return, None, place.job, corrected)
    return RedirectResponse(address.url(), 303)


routes = [Route("/photo/{job}/more", add_photo, methods=["POST"])]

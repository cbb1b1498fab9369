"""A photo of Cóatls: sent, read in another process, corrected by tapping, and scored.

All that is said against a reading stands in the address; the photo itself is kept nowhere but
in the memory, as long as somebody looks at it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CoatlError, RequestError, WorkError
from coatl_tools.vision.corrections.correction import Correction
from coatl_tools.web.following import following
from coatl_tools.web.photo_errand import Errand
from coatl_tools.web.photo_fixing import Fixing, fixed
from coatl_tools.web.photo_outlines import outlines
from coatl_tools.web.photo_shown import shown
from coatl_tools.web.rendering import house_of, language_of, page, visitor_of
from coatl_tools.web.work.jobs import Job, State
from coatl_tools.web.work.photos import Seen, photo, read

_GONE = 404


@dataclass(frozen=True, slots=True)
class Place:
    """Where the page of a photo is: its job, what it is for, and how much of it is shown."""

    job: str
    errand: Errand
    whole: bool = False

    def url(self, corrections: Sequence[Correction] = (), whole: bool | None = None) -> str:
        """The address with these corrections."""
        place = self if whole is None else replace(self, whole=whole)
        return _address(self.page, [*(("fix", str(one)) for one in corrections), *place.fields])

    @property
    def page(self) -> str:
        """The address without anything behind it."""
        return f"/photo/{self.job}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What stands behind it, but for corrections."""
        return [*self.errand.fields, *([("whole", "1")] if self.whole else [])]

    @property
    def away(self) -> str:
        """Where the photo is put away."""
        return _address(f"{self.page}/away", self.errand.fields)

    @property
    def form(self) -> str:
        """Where another one is taken for the same."""
        return _address("/photo", self.errand.fields)


def _address(path: str, fields: Sequence[tuple[str, str]]) -> str:
    return f"{path}?{urlencode(fields)}" if fields else path


async def form(request: Request) -> Response:
    """Take a photo, or choose one."""
    house_of(request).warm_photos()
    return _form(request)


def _form(request: Request, wrong: str = "", status: int = 200) -> Response:
    errand, house = Errand.read(request.query_params), house_of(request)
    to = _address("/photo", errand.fields)
    most = f"{house.uploads.most / 1e6:g}"
    return page(request, "photo.html", status, wrong=wrong, to=to, errand=errand, most=most)


async def send(request: Request) -> Response:
    """A photo has come: it will be read, in its turn."""
    house, errand = house_of(request), Errand.read(request.query_params)
    try:
        upload = await house.uploads.read(request)
        sent = photo(upload.data, upload.name)
        job = house.jobs.begin(visitor_of(request).key, house.photos, read, sent, house.catalog)
    except CoatlError as error:
        status = error.status if isinstance(error, RequestError) else 422
        return _form(request, error.text(language_of(request).code), status)
    return RedirectResponse(Place(job, errand).url(), 303)


async def job_page(request: Request) -> Response:
    """The photo: waiting, failed, or what was read in it."""
    try:
        job = _job(request)
    except WorkError as error:
        if error.status != _GONE:
            raise
        return _form(request, language_of(request).label("web_photo_gone"), _GONE)
    if job.error is not None:
        return _form(request, job.error.text(language_of(request).code))
    if job.state is State.DONE:
        return await asyncio.to_thread(_read, request, job.value)
    return page(request, "photo_wait.html", job=job, place=_place(request))


def _read(request: Request, seen: Seen) -> Response:
    """What was read, after all that was said against it."""
    catalog, words, place = house_of(request).catalog, language_of(request), _place(request)
    found = fixed(seen.reading, catalog, request.query_params.getlist("fix"), words)
    fixing = Fixing(found.reading, catalog, found.corrections, place.url)
    said = shown(fixing, words)
    whole = place.whole or not said.coatls
    return page(
        request,
        "photo_read.html",
        400 if found.wrong else 200,
        wrong=found.wrong,
        place=place,
        corrections=found.corrections,
        read=said,
        outlines=outlines(seen, found.reading, whole),
        whole=whole,
        picture=seen.size,
        tally=place.errand.tally_url(said.tallied, words) if said.tallied else "",
    )


async def picture(request: Request) -> Response:
    """The photo itself, for whoever sent it."""
    job = _job(request)
    if job.state is not State.DONE:
        raise RequestError("web.work_gone", _GONE)
    headers = {"cache-control": "private, no-cache", "etag": f'"{job.id}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(job.value.jpeg, media_type="image/jpeg", headers=headers)


async def events(request: Request) -> Response:
    """Whenever it has got further."""
    job_id = request.path_params["job"]
    return following(house_of(request).jobs, visitor_of(request).key, job_id)


async def put_away(request: Request) -> Response:
    """Forget a photo at once."""
    house_of(request).jobs.drop(visitor_of(request).key, request.path_params["job"])
    return RedirectResponse(_place(request).form, 303)


def _job(request: Request) -> Job:
    """The job of an address; WorkError with 404 if it is gone, or somebody else's."""
    jobs = house_of(request).jobs
    return jobs.look(visitor_of(request).key, request.path_params["job"])


def _place(request: Request) -> Place:
    asked = request.query_params
    return Place(request.path_params["job"], Errand.read(asked), "whole" in asked)


routes = [
    Route("/photo", form),
    Route("/photo", send, methods=["POST"]),
    Route("/photo/{job}", job_page),
    Route("/photo/{job}/picture.jpg", picture),
    Route("/photo/{job}/events", events),
    Route("/photo/{job}/away", put_away, methods=["POST"]),
]

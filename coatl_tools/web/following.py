"""Pages that follow a job: server-sent events, each time that it has got further."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from coatl_tools.errors import WorkError
from coatl_tools.web.work.jobs import Jobs

HEARTBEAT = 15.0  # seconds without news after which a listener hears that we are still here
PACE = 0.3  # seconds between two news at least: no page has to be fetched more often


def following(jobs: Jobs, owner: str, job_id: str) -> StreamingResponse:
    """The version of a job, whenever it is another one; WorkError if it is not the owner's."""
    jobs.look(owner, job_id)  # said before the answer begins
    return StreamingResponse(
        _lines(jobs, owner, job_id),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _lines(jobs: Jobs, owner: str, job_id: str) -> AsyncIterator[str]:
    yield "retry: 1000\n\n"
    version = -1
    while True:
        try:
            changed = jobs.wait_changed(owner, job_id, version)
            version = (await asyncio.wait_for(changed, HEARTBEAT)).version
        except TimeoutError:
            yield ": still here\n\n"
            continue
        except WorkError:  # it is put away: whoever still looks finds that out
            yield "data: gone\n\n"
            return
        yield f"data: {version}\n\n"
        await asyncio.sleep(PACE)

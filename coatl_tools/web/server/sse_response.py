"""Server-sent events: tell an open page that what it shows has another version."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

HEARTBEAT_SECONDS = 15.0  # without news after which a listener is told that the server is there
_RETRY_MILLISECONDS = 1000  # after which a browser opens a lost stream again


def stream_events(versions: AsyncIterator[str]) -> StreamingResponse:
    """Send each version as an event; an empty one is a heartbeat that scripts do not see."""
    return StreamingResponse(
        _format_events(versions),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _format_events(versions: AsyncIterator[str]) -> AsyncIterator[str]:
    yield f"retry: {_RETRY_MILLISECONDS}\n\n"
    async for version in versions:
        yield f"data: {version}\n\n" if version else ": still here\n\n"

"""What every request passes first: who asks, from where, how much; and what every answer says.

- A request that names another host is refused: a page elsewhere could have its name lead here.
- What changes something must come from one of our own pages: the browser says which it was.
- A body is counted while it comes, and never larger than a page needs.
- A phone of the network needs the code, but for the page that asks for it.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coatl_tools.errors import RequestError
from coatl_tools.web.house import LOOPBACK, House
from coatl_tools.web.visitors import Visitors

MOST_BYTES = 1 << 16  # of a form
MOST_UPLOAD = 32 << 20  # of a photo with what stands around it
UPLOADS = ("/photo",)
ASSETS = ("/static/", "/art/")  # the same for everybody
OPEN = (
    "/door",
    "/join",
    "/static/",
    "/art/icon",
    "/art/regular.ttf",
    "/art/bold.ttf",
    "/language",
    "/manifest.webmanifest",
)
COOKIE_AGE = 30 * 24 * 3600
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """The middleware around all pages."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self.app, self.house = app, house
        self.cookie = f"coatl-{house.address.port}"  # cookies know no ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        token = self._token(headers)
        new = not token
        token = token or Visitors.new_token()
        state = scope.setdefault("state", {})
        state["visitor"] = self.house.visitors.visitor(token)
        state["host"] = _is_here(scope)
        new = self.house.visitors.seen_again(state["visitor"]) or new

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                welcome = new and not scope["path"].startswith(ASSETS)
                self._finish(MutableHeaders(scope=message), token if welcome else "")
            await send(message)

        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, answer)
            return
        await self.app(scope, self._counted(scope, receive), answer)

    def _token(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        value = found.value if found else ""
        return value if len(value) == 48 and set(value) <= set("0123456789abcdef") else ""

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that does not pass, or None."""
        host = headers.get("host", "").lower()
        if not self.house.address.is_called(host) or len(headers.getlist("host")) != 1:
            return PlainTextResponse("This server is known by another name.", 421)
        if scope["method"] not in ("GET", "HEAD") and not _is_ours(headers, host):
            return PlainTextResponse("This must come from one of our own pages.", 403)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > _most(scope["path"]):
            return PlainTextResponse("This is too large.", 413)
        if self._must_knock(scope):
            if scope["method"] == "GET":
                return RedirectResponse(f"/door?to={quote(scope['path'])}", 303)
            return PlainTextResponse("The code of the table is needed first.", 403)
        return None

    def _must_knock(self, scope: Scope) -> bool:
        if not self.house.address.lan or scope["state"]["host"]:
            return False
        return not (scope["state"]["visitor"].admitted or scope["path"].startswith(OPEN))

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        """The body, refused as soon as there is too much of it."""
        most, found = _most(scope["path"]), 0

        async def counting() -> Message:
            nonlocal found
            message = await receive()
            found += len(message.get("body", b""))
            if found > most:
                raise RequestError("web.large", 413)
            return message

        return counting

    def _finish(self, headers: MutableHeaders, token: str) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("cache-control", "no-store")
        if token:
            headers.append(
                "set-cookie",
                f"{self.cookie}={token}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax",
            )


def _is_here(scope: Scope) -> bool:
    """Whether the laptop itself asks: at its address for itself, or from the one it listens at."""
    client = (scope.get("client") or ("", 0))[0]
    return client in LOOPBACK or client == (scope.get("server") or ("?", 0))[0]


def _is_ours(headers: Headers, host: str) -> bool:
    """Whether a browser says that one of our pages asks; without a word from it, none does."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower() == f"http://{host}"
    if "sec-fetch-site" in headers:
        return headers["sec-fetch-site"] == "same-origin"
    try:
        referrer = urlsplit(headers.get("referer", ""))
    except ValueError:
        return False
    return (referrer.scheme, referrer.netloc.lower()) == ("http", host)


def _most(path: str) -> int:
    return MOST_UPLOAD if path in UPLOADS else MOST_BYTES

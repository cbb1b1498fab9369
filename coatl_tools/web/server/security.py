"""Security of every request: host and origin checks, body limits, the join code, the session
cookie, response headers, and safe redirects.
"""

from __future__ import annotations

import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coatl_tools.errors import RequestError
from coatl_tools.web.server.app_state import LOOPBACK_ADDRESSES, AppState
from coatl_tools.web.server.sessions import SessionStore, format_session_cookie

MAX_FORM_BYTES = 1 << 16  # of a form
MAX_UPLOAD_BYTES = 32 << 20  # of a photo with what stands around it
UPLOAD_PATH = re.compile(r"/photo|/photo/[^/]+/more|/table/[^/]+/(?:photo|board)")
ASSET_PATHS = ("/static/", "/art/")  # the same for everybody
PUBLIC_PATHS = (
    "/door",
    "/join",
    "/static/",
    "/art/icon",
    "/art/regular.ttf",
    "/art/bold.ttf",
    "/language",
    "/manifest.webmanifest",
)
SECURITY_HEADERS = {
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


class SecurityMiddleware:
    """The middleware around all pages: checks each request, and finds its session."""

    def __init__(self, app: ASGIApp, app_state: AppState) -> None:
        self.app, self.app_state = app, app_state
        self.cookie = f"coatl-{app_state.address.port}"  # cookies are shared by all ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request: pass it on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        session_id = self._read_session_id(headers)
        is_new = not session_id
        session_id = session_id or SessionStore.make_session_id()
        state = scope.setdefault("state", {})
        state["session"] = self.app_state.sessions.find_session(session_id)
        state["is_host"] = _is_from_host(scope)
        is_new = self.app_state.sessions.refresh(state["session"]) or is_new

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                needs_cookie = is_new and not scope["path"].startswith(ASSET_PATHS)
                self._add_headers(MutableHeaders(scope=message), session_id if needs_cookie else "")
            await send(message)

        refusal = self._find_refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        await self.app(scope, self._limit_body(scope, receive), answer)

    def _read_session_id(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        value = found.value if found else ""
        return value if len(value) == 48 and set(value) <= set("0123456789abcdef") else ""

    def _find_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the response that refuses a request; None if it may pass.

        The texts are in English: they meet programs and attackers, hardly ever a person.
        """
        host = headers.get("host", "").lower()
        if not self.app_state.address.is_own_host(host) or len(headers.getlist("host")) != 1:
            return PlainTextResponse("This server is known by another name.", 421)
        if scope["method"] not in ("GET", "HEAD") and not _is_same_origin(headers, host):
            return PlainTextResponse("This must come from one of our own pages.", 403)
        length = headers.get("content-length", "0")
        if (
            not length.isascii()
            or not length.isdigit()
            or int(length[:12]) > _max_body_bytes(scope["path"])
        ):
            return PlainTextResponse("This is too large.", 413)
        if self._needs_login(scope):
            if scope["method"] == "GET":
                return RedirectResponse(f"/door?to={quote(scope['path'])}", 303)
            return PlainTextResponse("The code of the table is needed first.", 403)
        return None

    def _needs_login(self, scope: Scope) -> bool:
        if not self.app_state.address.allow_lan or scope["state"]["is_host"]:
            return False
        return not (scope["state"]["session"].admitted or scope["path"].startswith(PUBLIC_PATHS))

    def _limit_body(self, scope: Scope, receive: Receive) -> Receive:
        """Limit the body: reading raises RequestError as soon as it is too large."""
        limit, received = _max_body_bytes(scope["path"]), 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise RequestError("web.large", 413)
            return message

        return receive_limited

    def _add_headers(self, headers: MutableHeaders, session_id: str) -> None:
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("cache-control", "no-store")
        if session_id:
            headers.append("set-cookie", format_session_cookie(self.cookie, session_id))


def _is_from_host(scope: Scope) -> bool:
    """Tell whether a request comes from this machine."""
    client = (scope.get("client") or ("", 0))[0]
    return client in LOOPBACK_ADDRESSES or client == (scope.get("server") or ("?", 0))[0]


def _is_same_origin(headers: Headers, host: str) -> bool:
    """Tell whether the headers prove that one of our own pages sent the request."""
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


def _max_body_bytes(path: str) -> int:
    return MAX_UPLOAD_BYTES if UPLOAD_PATH.fullmatch(path) else MAX_FORM_BYTES


def sanitize_redirect_path(text: str) -> str:
    """Return a path of this server, with its query; `/` for anything else.

    >>> sanitize_redirect_path("/cards?q=red"), sanitize_redirect_path("//evil.example/"), sanitize_redirect_path("https://evil.example")
    ('/cards?q=red', '/', '/')
    """
    plain = text.isprintable() and "\\" not in text and len(text) < 4000
    if not plain or not text.startswith("/") or text.startswith("//"):
        return "/"
    parts = urlsplit(text)
    return text if not parts.scheme and not parts.netloc else "/"

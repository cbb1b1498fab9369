"""One photo and a few short fields from a form, counted while they come and held in memory.

Starlette would write what is larger than a megabyte to a temporary file, and takes files of any
size. Here nothing touches the disk, and nothing larger than the limit is ever held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header
from starlette.requests import ClientDisconnect, Request

from coatl_tools.errors import RequestError

MAX_PHOTO_BYTES = 30_000_000  # no phone takes larger ones
MAX_FIELDS, MAX_FIELD_BYTES = 8, 1000
FORM_OVERHEAD_BYTES = 20_000  # bytes of fields, headers and boundaries around the photo
_MAX_FILES = 4  # a page may have several places to choose a photo, of which one is used
_MAX_CONTENT_TYPE_LENGTH = (
    200  # characters of a content type; the standard allows 70 for its boundary
)


@dataclass(frozen=True, slots=True)
class Upload:
    """What a form sent: the file, its name, and the other fields."""

    data: bytes
    name: str
    fields: Mapping[str, str]


class UploadReader:
    """Reads uploads, only a few at once, so that memory suffices."""

    def __init__(
        self, most: int = MAX_PHOTO_BYTES, at_once: int = 4, seconds: float = 120.0
    ) -> None:
        self.most, self.seconds = most, seconds
        self._turn = asyncio.Semaphore(at_once)  # the body of who waits is not even fetched

    async def read(self, request: Request) -> Upload:
        """Read an upload; RequestError (400, 408, 413 or 415) if it is invalid."""
        boundary = _parse_boundary(request.headers.get("content-type", ""))
        self._check_length(request.headers.get("content-length"))
        try:
            async with asyncio.timeout(self.seconds), self._turn:
                return await self._parsed(request, boundary)
        except TimeoutError:
            raise RequestError("web.work_upload_slow", 408, seconds=f"{self.seconds:g}") from None
        except (ClientDisconnect, FormParserError) as error:
            raise _make_upload_error() from error

    def _check_length(self, length: str | None) -> None:
        """Refuse a body whose announced length is too large; the rest is counted as it comes."""
        if length is None:
            return
        if not (length.isascii() and length.isdigit()):
            raise _make_upload_error()
        if len(length) > 12 or int(length) > self.most + FORM_OVERHEAD_BYTES:
            raise self._too_large()

    async def _parsed(self, request: Request, boundary: bytes) -> Upload:
        parts = _FormParts()
        parser = parts.parser(boundary)
        found = 0
        async for chunk in request.stream():
            found += len(chunk)
            if found > self.most + FORM_OVERHEAD_BYTES:
                raise self._too_large()
            parser.write(chunk)
        if not parts.complete:
            raise _make_upload_error()
        if len(parts.files) != 1:
            key = "web.work_upload_several" if parts.files else "web.work_upload_none"
            raise RequestError(key, 400)
        ((name, data),) = parts.files
        if len(data) > self.most:
            raise self._too_large()
        return Upload(bytes(data), name, parts.fields)

    def _too_large(self) -> RequestError:
        return RequestError("web.work_upload_large", 413, most=f"{self.most / 1e6:g}")


class _FormParts:
    """Collects the parts of a form as the parser finds them."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytearray]] = []
        self.fields: dict[str, str] = {}
        self.complete = False
        self._begun_files = self._begun_fields = 0
        self._header = self._value = b""
        self._name = ""
        self._file: str | None = None  # its name, if the part is a file
        self._data = bytearray()

    def parser(self, boundary: bytes) -> MultipartParser:
        """Make the parser, which limits the headers of parts by itself."""
        return MultipartParser(
            boundary,
            {
                "on_part_begin": self._part_begins,
                "on_header_field": self._header_goes_on,
                "on_header_value": self._value_goes_on,
                "on_header_end": self._header_ends,
                "on_headers_finished": self._headers_end,
                "on_part_data": self._data_go_on,
                "on_part_end": self._part_ends,
                "on_end": self._end,
            },
        )

    def _part_begins(self) -> None:
        self._name, self._file, self._data = "", None, bytearray()

    def _header_goes_on(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _value_goes_on(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_ends(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            self._name = _decode_text(options.get(b"name", b""))
            self._file = _decode_text(options[b"filename"]) if b"filename" in options else None
        self._header = self._value = b""

    def _headers_end(self) -> None:
        self._begun_files += self._file is not None
        self._begun_fields += self._file is None
        if not self._name or self._begun_files > _MAX_FILES or self._begun_fields > MAX_FIELDS:
            raise _make_upload_error()

    def _data_go_on(self, data: bytes, start: int, end: int) -> None:
        if self._file is None and len(self._data) + end - start > MAX_FIELD_BYTES:
            raise _make_upload_error()
        self._data += data[start:end]

    def _part_ends(self) -> None:
        if self._file is None:
            self.fields[self._name] = _decode_text(self._data)
        elif self._file or self._data:  # otherwise no photo was chosen there
            self.files.append((self._file, self._data))

    def _end(self) -> None:
        self.complete = True


def _parse_boundary(kind: str) -> bytes:
    """Parse the boundary between the parts of a form; RequestError for other content."""
    if kind.partition(";")[0].strip().lower() != "multipart/form-data":
        raise RequestError("web.work_upload_type", 415)
    _, options = parse_options_header(kind[:_MAX_CONTENT_TYPE_LENGTH])
    if len(kind) > _MAX_CONTENT_TYPE_LENGTH or not options.get(b"boundary"):
        raise _make_upload_error()
    return options[b"boundary"]


def _decode_text(data: bytes | bytearray) -> str:
    return data.decode("utf-8", "replace")


def _make_upload_error() -> RequestError:
    return RequestError("web.work_upload_broken", 400)

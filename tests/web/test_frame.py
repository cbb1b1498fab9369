"""What all pages have in common: the frame, the languages, who may come in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.serving import LAPTOP, PHONE, Phone, Server

pytestmark = pytest.mark.xdist_group("web")


def test_the_first_page_is_for_everybody(
    house: Callable[..., Server], phone: Callable[..., Phone]
) -> None:
    server = house()
    for size, locale, scheme, word in [
        (PHONE, "en-GB", "light", "Score"),
        (LAPTOP, "fr-FR", "dark", "Compter"),
        (PHONE, "pl-PL", "dark", "Punkty"),
    ]:
        visitor = phone(server, size=size, locale=locale, color_scheme=scheme)
        page = visitor.go("/")
        assert page.get_by_role("main").get_by_text(word, exact=True).is_visible()
        assert not visitor.is_wider_than_its_screen()
        assert visitor.axe() == []

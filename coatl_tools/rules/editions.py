"""Where the editions of the rulebook differ (section 8), and which one is played.

Edition and language are two things: a table that speaks German plays by the English rulebook,
unless somebody chooses another.
"""

from __future__ import annotations

from typing import NamedTuple

from coatl_tools.errors import OptionError
from coatl_tools.files.data_paths import EDITIONS, Edition
from coatl_tools.language import Language
from coatl_tools.rules.constants import COATLS_TO_END

DEFAULT_EDITION: Edition = "en"  # what a file or a link means that names no edition


class EditionRules(NamedTuple):
    """What an edition decides."""

    half_points: bool  # an incomplete Cóatl scores half (rule 8.1)
    coatl_limit: int | None  # how many Cóatls a player may begin in all (rule 8.2)
    tokens_first: bool  # a token is used only as the first action of a turn (rule 8.3)


EDITION_RULES: dict[Edition, EditionRules] = {
    "en": EditionRules(half_points=False, coatl_limit=None, tokens_first=False),
    "fr": EditionRules(half_points=False, coatl_limit=COATLS_TO_END, tokens_first=True),
    "pl": EditionRules(half_points=True, coatl_limit=None, tokens_first=False),
}


def choose_edition(chosen: str | None, language: Language | None = None) -> Edition:
    """Decide which edition is played: the one chosen, else the one named by the language's file.

    Without a language, it is the default edition: files, links and simulations mean the same to
    everybody, whatever language they speak. Raises OptionError for an edition that there is not.

    >>> from coatl_tools.language import load_language
    >>> choose_edition(None, load_language("pl")), choose_edition("FR", load_language("pl"))
    ('pl', 'fr')
    """
    wanted = chosen or (language.edition if language else DEFAULT_EDITION)
    for edition in EDITIONS:
        if edition == wanted.lower():
            return edition
    raise OptionError("options.edition", value=wanted)

"""Checking card data as a whole: shapes, ids, levels within reach, totals, languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.catalog import BASE, repeated_ids
from coatl_tools.cards.files import (
    LocatedCard,
    Problem,
    Source,
    read_cards,
    read_json,
    read_model,
)
from coatl_tools.cards.model import MAX_COATL, ComponentsFile
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.language import CODES, PLURALS, LanguageFile, Text, places
from coatl_tools.pieces import Colour
from coatl_tools.resources import CARDDATA
from coatl_tools.scoring.reach import shortest
from coatl_tools.scoring.same import meaning


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    problems: tuple[Problem, ...]
    files: int
    cards: int


def validate(paths: Sequence[Path], own_files: Sequence[Path] = ()) -> Report:
    """Check files and folders; without any, the game's data and a player's own files.

    Given card files are checked together with the game's. Files of the set "base" or "promo"
    take the place of the game's own of that set; a folder with components stands alone.
    """
    data = _Data()
    for path in paths or [CARDDATA, *own_files]:
        data.add(path)
    if not data.stands_alone:
        data.add_the_game()
    problems = [
        *data.problems,
        *repeated_ids(data.cards),
        *_same_requirements(data.cards),
        *(problem for located in data.cards for problem in _unreachable(located, data)),
        *_totals(data),
        *_languages(data.languages),
    ]
    return Report(tuple(sorted(set(problems))), data.files, len(data.cards) - data.company)


@dataclass
class _Data:
    """All that is checked together."""

    cards: list[LocatedCard] = field(default_factory=list)
    company: int = 0  # how many of the cards, the first, are only there to compare with
    components: tuple[Source, ComponentsFile] | None = None
    languages: dict[str, tuple[Source, LanguageFile]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    stands_alone: bool = False  # a whole game, not an addition to this one
    unread_cards: bool = False
    files: int = 0

    def add(self, path: Path) -> None:
        """Read a file, or all .json files of a folder."""
        if not path.is_dir():
            self._add_file(path)
            return
        found = [p for p in sorted(path.rglob("*.json")) if not p.name.endswith(".schema.json")]
        if not found:
            self.problems.append(Problem(str(path), 0, 0, "", "there is no .json file in it"))
        for file in found:
            self._add_file(file)

    def _add_file(self, path: Path) -> None:
        self.files += 1
        source, problems = read_json(path)
        self.problems.extend(problems)
        if source is None:
            self.unread_cards = True
            return
        fields = source.data if isinstance(source.data, dict) else {}
        if "totals" in fields or "supply_board" in fields:
            self.stands_alone = True
            components, problems = read_model(ComponentsFile, source.data, source)
            if components is not None:
                self.components = source, components
        elif "language" in fields:
            language, problems = read_model(LanguageFile, source.data, source)
            if language is not None:
                self.languages[language.language] = source, language
        else:
            cards, problems = read_cards(source)
            self.cards.extend(cards)
            self.unread_cards |= bool(problems)
        self.problems.extend(problems)

    def add_the_game(self) -> None:
        """Add what the given files leave out, so that they are judged in company."""
        game = _Data()
        game.add(CARDDATA)
        self.components = game.components
        given = {(located.card.set, located.card.kind) for located in self.cards}
        company = [known for known in game.cards if (known.card.set, known.card.kind) not in given]
        self.cards = [*company, *self.cards]
        self.company = len(company)
        for code, known in game.languages.items():
            self.languages.setdefault(code, known)


def _same_requirements(cards: Iterable[LocatedCard]) -> Iterator[Problem]:
    """Cards that ask what another card asks, however it is written."""
    first: dict[object, LocatedCard] = {}
    for located in cards:
        try:
            asked = meaning(located.card.requirement)
        except RequirementTooIntricateError as error:
            yield located.problem(str(error), "requires")
            continue
        known = first.setdefault(asked, located)
        if known is not located and known.card.id != located.card.id:
            where = known.problem("")
            yield located.problem(
                f"asks the same as {known.card.id} ({where.path}:{where.line})", "requires"
            )


def _unreachable(located: LocatedCard, data: _Data) -> Iterator[Problem]:
    """Levels that no Cóatl can reach."""
    most = data.components[1].most_of_a_colour() if data.components else MAX_COATL
    card = located.card
    for level in card.levels:
        try:
            length = shortest(card, level.count, MAX_COATL, most)
        except RequirementTooIntricateError:
            return  # said already
        if length is None:
            yield located.problem(
                f"level {level.count} is out of reach: no Cóatl of at most {MAX_COATL} pieces "
                "meets it",
                "points",
                str(level.count),
            )


def _totals(data: _Data) -> Iterator[Problem]:
    """Numbers that do not add up to what components.json promises (rules 1.2, 1.3, 1.5)."""
    if data.components is None:
        return
    source, components = data.components
    pieces, tokens = components.pieces, components.sacrifice_tokens
    counted = {
        "pieces": len(Colour) * (pieces.head + pieces.body + pieces.tail),
        "sacrifice_tokens": tokens.sets * len(tokens.tokens),
    }
    where = {}
    for kind in CardKind:
        cards = [c for c in data.cards if c.card.set == BASE and c.card.kind is kind]
        if not data.unread_cards:
            counted[kind.value] = sum(located.card.copies for located in cards)
        where[kind.value] = f" in {cards[0].source.path}" if cards else ""
    for name, number in counted.items():
        promised = getattr(components.totals, name)
        if number != promised:
            yield source.problem(
                f"{name}: {promised} are promised, but there are {number}{where.get(name, '')}",
                ("totals", name),
            )


def _languages(languages: Mapping[str, tuple[Source, LanguageFile]]) -> Iterator[Problem]:
    """Languages that lack a text, a plural form or a form of a colour."""
    if not languages:
        return
    for code in sorted(set(CODES).difference(languages)):
        yield Problem(f"lang/{code}.json", 0, 0, "", "this language is missing or has mistakes")
    english = languages.get("en")
    for source, language in languages.values():
        yield from _texts(source, language, english[1] if english else language)


def _texts(source: Source, language: LanguageFile, english: LanguageFile) -> Iterator[Problem]:
    for letter in sorted(set(Colour.__members__).difference(language.colours)):
        yield source.problem(f"colour {letter} is missing", ("colours",))
    for section in ("cards", "labels", "errors"):
        texts, expected = _section(language, section), _section(english, section)
        for key in sorted(set(expected).difference(texts)):
            yield source.problem(f'text "{key}" is missing', (section,))
        for key in sorted(set(texts).difference(expected)):
            yield source.problem(f'text "{key}" is unknown', (section, key))
        for key, text in texts.items():
            for message in _text_problems(text, expected.get(key, text), language):
                yield source.problem(f'text "{key}" {message}', (section, key))


def _section(language: LanguageFile, section: str) -> dict[str, Text]:
    found = getattr(language, section)
    return found if isinstance(found, dict) else found.model_dump(by_alias=True)


def _text_problems(text: Text, expected: Text, language: LanguageFile) -> Iterator[str]:
    """What is wrong with one text, beside the English one."""
    forms = PLURALS[language.plural][0]
    if isinstance(text, dict) and set(text) != set(forms):
        yield f"needs the plural forms {', '.join(forms)}"
    wanted = {name for template in _templates(expected) for name, _ in _places(template)}
    for template in _templates(text):
        try:
            found = list(places(template))
        except ValueError as error:
            yield f"is malformed: {error}"
            continue
        names = {name for name, _ in found}
        for name in sorted(names - wanted - {"n"}):
            yield f"has an unknown place {{{name}}}"
        for name in sorted(wanted - names - {"n"}):
            yield f"lacks the place {{{name}}}"
        for form in sorted({form for _, form in found if form}):
            if lacking := [c for c, words in language.colours.items() if form not in words]:
                yield f'uses the colour form "{form}", which {", ".join(lacking)} lacks'


def _templates(text: Text) -> Iterable[str]:
    return text.values() if isinstance(text, dict) else (text,)


def _places(template: str) -> list[tuple[str, str]]:
    try:
        return list(places(template))
    except ValueError:
        return []

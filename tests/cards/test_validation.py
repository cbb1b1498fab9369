"""`coatl cards validate`: every mistake at once, at its place; and the data that has none."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coatl_tools import CardDataError, language, load_cards
from coatl_tools.files.data_paths import CARDDATA, LANGUAGE_CODES, list_language_codes
from coatl_tools.scoring.missing_pieces import MAX_SEARCH_STATES
from coatl_tools.validation.carddata import validate_files

GOOD: dict[str, Any] = {
    "id": "X01",
    "kind": "prophecy",
    "colour": "green",
    "requires": {"sequence": "R B+ R"},
    "points": {"1": 2, "2": 6},
}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a card file, one card a line from line 2 on."""

    def write_cards(*cards: Any, **fields: Any) -> Path:
        path = tmp_path / "mine.json"
        rows = ",\n".join(json.dumps(card) for card in cards)
        extra = "".join(f"{json.dumps(k)}: {json.dumps(v)}, " for k, v in fields.items())
        path.write_text(f'{{{extra}"cards": [\n{rows}\n]}}', "utf-8")
        return path

    return write_cards


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the game's data, to break."""
    return Path(shutil.copytree(CARDDATA, tmp_path / "carddata"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def found(*paths: Path) -> list[str]:
    return [str(problem) for problem in validate_files(paths).problems]


def only(*paths: Path) -> str:
    (problem,) = found(*paths)
    return problem


def test_the_games_data_has_no_problems() -> None:
    report = validate_files([])
    assert report.problems == ()
    assert (report.files, report.cards) == (4 + len(LANGUAGE_CODES), 75)


def test_a_copy_of_the_games_data_stands_alone(copy: Path) -> None:
    assert found(copy) == []


@pytest.mark.parametrize("name", ["prophecy.json", "temple.json", "promo.json"])
def test_a_file_of_the_game_alone_has_no_problems(name: str) -> None:
    assert found(CARDDATA / name) == []


def test_a_good_card_has_no_problems(write: Write) -> None:
    assert found(write(GOOD)) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "grean"}, "\"colour\" is \"grean\", but must be 'red', 'green'"),
        ({"colour": None}, "a Prophecy card has a card colour"),
        ({"kind": "temple"}, "a Temple card has no card colour"),
        ({"kind": "prophesy"}, '"kind" is "prophesy"'),
        ({"id": "x 1"}, '"id" is "x 1"'),
        ({"id": 7}, '"id" must be a text in quotes, not 7'),
        ({"copies": 0}, '"copies" must be at least 1, not 0'),
        ({"copies": "2"}, '"copies" must be a whole number, not "2"'),
        ({"points": {}}, '"points" needs at least 1 entry'),
        (
            {"points": {"1": 2, "2": 2}},
            '"points": must increase: level 2 scores 2, but level 1 scores 2',
        ),
        ({"points": {"2": 3, "1": 5}}, '"points": must increase'),
        ({"points": {"0": 3}}, '"points.0"'),
        ({"points": {"1": 0}}, '"points.1" must be at least 1'),
        ({"requires": {"sequence": "R Q"}}, '"requires.sequence": "Q" is not a piece'),
        ({"requires": {"sequence": "R !B R"}}, "crossed-out piece is the first or the last"),
        ({"requires": {"sequence": "!R !B"}}, "at least one piece that is not crossed out"),
        ({"requires": {"sequence": "!X R"}}, '"!X" is not a crossed-out piece'),
        ({"requires": {"sequence": ""}}, "at least one piece"),
        ({"requires": {"sequence": " ".join("R" * 31)}}, "at most 30 are allowed"),
        ({"requires": {"count": "P"}}, '"requires.count" is "P"'),
        ({"requires": {}}, "asks for nothing"),
        ({"requires": {"count": "R", "absent": "B"}}, "asks for count and absent at once"),
        ({"requires": {"equal": ["R", "R"]}}, "compares R with itself"),
        ({"requires": {"equal": ["R"]}}, '"requires.equal"'),
        ({"requires": {"length": 31}}, '"requires.length"'),
        ({"requires": {"lenght": 7}}, 'unknown field "requires.lenght": did you mean "length"?'),
        ({"requires": {"several": [{"absent": "R"}]}}, '"requires.several"'),
        ({"requires": {"multiset": {"Q": 1}}}, '"requires.multiset.Q"'),
        ({"pionts": {}}, 'unknown field "pionts": did you mean "points"?'),
        ({"points": {"1": 2, "16": 9}}, "level 16 is out of reach"),
        ({"requires": {"multiset": {"R": 27}}, "points": {"1": 3}}, "level 1 is out of reach"),
        ({"id": "P05"}, "this id is taken"),
        ({"requires": {"sequence": "G Y+ G"}}, "asks for the same as P43"),
        ({"requires": {"sequence": "Y"}}, "asks for the same as P01"),
        (
            {"requires": {"sequence": "R * * * * * * * * * * * G"}, "points": {"1": 1}},
            "too complex",
        ),
    ],
)
def test_a_mistake_in_a_card_is_named_at_its_line(
    write: Write, change: dict[str, Any], message: str
) -> None:
    card = {key: value for key, value in (GOOD | change).items() if value is not None}
    path = write({**GOOD, "id": "X00", "requires": {"sequence": "K R+ K"}}, card)
    problem = only(path)
    assert problem.startswith(f"{path}:3:")
    assert message in problem
    assert not isinstance(card["id"], str) or f": {card['id']}: " in problem


def test_a_prophecy_of_several_contradicting_requirements_is_out_of_reach(write: Write) -> None:
    parts = [{"absent": "R"}, {"equal": ["R", "B"]}]
    assert "level 2 is out of reach" in only(write({**GOOD, "requires": {"several": parts}}))


def test_a_green_card_that_wants_no_green_card_is_out_of_reach(write: Write) -> None:
    parts = [{"no_prophecy": "green"}, {"length": 7}]
    assert "level 2 is out of reach" in only(write({**GOOD, "requires": {"several": parts}}))


def test_one_thing_asked_twice_is_found(write: Write) -> None:
    parts = [{"sequence": "R R+"}, {"length": 7}, {"sequence": "R+ R"}]
    card = {**GOOD, "requires": {"several": parts}, "points": {"1": 1}}
    assert "asks for the same thing twice" in only(write(card))


def test_a_dash_between_digits_keeps_ids_apart(write: Write) -> None:
    assert found(write({**GOOD, "id": "P5-1"})) == []


def test_a_good_file_is_not_blamed_for_another(write: Write, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    monster = {**GOOD, "id": "M1", "requires": {"sequence": "R * * * * * * * * * G"}}
    own.write_text(json.dumps({"cards": [monster]}))
    assert validate_files([write(GOOD)], [own]).problems == ()
    assert len(validate_files([own], [own]).problems) == 1


def test_problems_stand_at_their_column(tmp_path: Path) -> None:
    path = tmp_path / "columns.json"
    path.write_text('\ufeff{"cards": [\r\n\t{"id": "żX"}\r\n]}', "utf-8")
    places = {(p.line, p.column) for p in validate_files([path]).problems}
    assert places == {(2, 9), (2, 2)}


def test_ids_that_people_would_confuse_are_refused(write: Write) -> None:
    for card_id in ("P5", "P-05", "P005"):
        assert "too similar to another" in only(write({**GOOD, "id": card_id}))


def test_the_very_same_card_twice_in_one_file_is_a_problem(write: Write) -> None:
    assert re.search(r"mine\.json:3:.*this id is taken: .*mine\.json:2", only(write(GOOD, GOOD)))


@pytest.mark.parametrize("most", [5_000, pytest.param(MAX_SEARCH_STATES, marks=pytest.mark.soak)])
def test_a_search_without_end_is_cut_short(
    most: int, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "coatl_tools.scoring.missing_pieces.MAX_SEARCH_STATES", most
    )  # the real one takes seconds
    pairs = [{"equal": ["R", "G"]}, {"equal": ["G", "B"]}, {"equal": ["B", "Y"]}]
    parts = [*pairs, {"length": 29}, {"sequence": "!R R+ G *+ B * K"}]
    card = {**GOOD, "requires": {"several": parts}, "points": {"5": 9}}
    assert "too complex: searching" in only(write(card))


def test_nested_requirements_do_not_belong(write: Write) -> None:
    parts = [{"several": [{"absent": "R"}, {"length": 7}]}, {"length": 8}]
    problem = only(write({**GOOD, "requires": {"several": parts}}))
    assert '"requires.several.0.several" does not belong here' in problem


def test_a_wrong_head_does_not_hide_wrong_cards(write: Write) -> None:
    assert len(found(write({**GOOD, "kind": "tempel"}, set="My Set"))) == 2


def test_a_file_is_checked_beside_the_players_own(write: Write, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"cards": [{**GOOD, "requires": {"sequence": "K R+ K"}}]}))
    report = validate_files([write(GOOD)], [own])
    assert ["this id is taken" in str(problem) for problem in report.problems] == [True]


def test_control_characters_do_not_reach_the_terminal(write: Write) -> None:
    assert all(problem.isprintable() for problem in found(write({**GOOD, "id": "X\x1b[31m\n"})))


def test_every_problem_is_reported_at_once(write: Write) -> None:
    path = write(
        {**GOOD, "colour": "pink", "points": {"1": 2, "2": 1}},
        {**GOOD, "id": "X02"},
        {**GOOD, "id": "X02", "requires": {"sequence": "R B+ R R"}},
        {"id": "X03"},
        17,
    )
    problems = found(path)
    assert len(problems) == 8
    assert sum(":2:" in problem for problem in problems) == 2
    assert any("X02: asks for the same as X01" in problem for problem in problems)
    assert any("X02: this id is taken" in problem for problem in problems)
    assert any('"cards.4" must be an object' in problem for problem in problems)
    assert any("is missing" in problem and "X03" in problem for problem in problems)


def test_the_same_request_in_other_words_is_found(write: Write) -> None:
    card = {**GOOD, "requires": {"sequence": "R R+ B"}}
    other = {**GOOD, "id": "X02", "requires": {"sequence": "R+ R B"}}
    assert "X02: asks for the same as X01" in only(write(card, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"multiset": {"R": 2, "B": 1}}, {"multiset": {"B": 1, "R": 2}}),
        ({"equal": ["K", "R"]}, {"equal": ["R", "K"]}),
        (
            {"several": [{"absent": "R"}, {"length": 20}]},
            {"several": [{"length": 20}, {"absent": "R"}]},
        ),
    ],
)
def test_the_order_of_writing_does_not_matter(
    write: Write, one: dict[str, Any], other: dict[str, Any]
) -> None:
    cards = [
        {**GOOD, "id": f"X{n}", "requires": r, "points": {"1": 1}}
        for n, r in [(1, one), (2, other)]
    ]
    assert "X2: asks for the same as X1" in only(write(*cards))


def test_other_shapes_are_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    for text, message in [
        ("[]", "the file must be an object"),
        ("{}", '"cards" is missing'),
        ('{"cards": 3}', '"cards" must be a list'),
        ('{"cards": [null]}', '"cards.0" must be an object in { }, not null'),
        ('{"cards": ["\\ud800"]}', "half of a surrogate pair"),
        ('{"cards": [' + "9" * 5000 + "]}", "thousands of digits"),
        ('{"cards": ["\x1b"]}', "Invalid control character"),
        ('{"cards": [}', ":1:12: is not JSON"),
        ("", ":1:1: is not JSON"),
        ('{"cards": [], "cards": []}', ':1:15: "cards" stands twice'),
        ('{"cards": [], "set": "My Set"}', '"set" is "My Set"'),
        ('{"cards": [NaN]}', ":1:12: NaN is not allowed in JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"cards": ' + "[" * 3000 + "]" * 3000 + "}", "odd.json"),
    ]:
        path.write_text(text, "utf-8")
        assert message in only(path), text[:40]


def test_binary_missing_and_huge_files_are_problems(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)) * 10)
    assert "is not text in UTF-8" in only(binary)
    assert "there is no such file" in only(tmp_path / "none.json")
    huge = tmp_path / "huge.json"
    huge.write_text('{"cards": [' + ",".join(["{}"] * 2_000_000) + "]}")
    assert "larger than 4 MB" in only(huge)
    empty = tmp_path / "folder"
    empty.mkdir()
    assert "there is no .json file" in only(empty)


def test_too_many_cards_are_one_problem(write: Write) -> None:
    assert "more than 1000 entries" in only(write(*[GOOD] * 1001))


def test_a_lost_card_is_missed(copy: Path) -> None:
    lines = (copy / "prophecy.json").read_text("utf-8").splitlines(keepends=True)
    (copy / "prophecy.json").write_text("".join(lines[:4] + lines[5:]), "utf-8")
    problem = only(copy)
    assert "prophecy: 54 are promised, but there are 52" in problem
    assert "components.json" in problem


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("components.json", '"body": 24', '"body": 23', "pieces: 150 are promised"),
        ("components.json", '"sets": 4', '"sets": 3', "sacrifice_tokens: 12 are promised"),
        ("components.json", '"spaces": 8', '"spacs": 8', 'did you mean "spaces"'),
        ("temple.json", '"id": "T02"', '"id": "T01"', "this id is taken"),
        (
            "lang/fr.json",
            '"count": "',
            '"cuont": "',
            '"cards.cuont" is unknown: did you mean "count"?',
        ),
        (
            "lang/fr.json",
            '"error": "Erreur',
            '"eror": "Erreur',
            '"labels.eror" is unknown: did you mean "error"?',
        ),
        ("lang/pl.json", '"few": "{n} punkty", ', "", "plural forms one, few, many"),
        ("lang/pl.json", '"name": "zielony", ', "", '"colours.G.name" is missing'),
        ("promo.json", '"id": "T16"', '"id": "T15"', "this id is taken"),
        ("lang/pl.json", "{needs}: {points}", "{needs:many}: {points}", "which is no colour"),
        ("lang/pl.json", "Razem: {total}", "Razem: {total} {n}", "unknown placeholder {n}"),
        ("lang/pl.json", "{colour:few}", "{colour:fev}", 'colour form "fev", which'),
        (
            "lang/pl.json",
            "{colour:of_one}",
            "{color:of_one}",
            "unknown placeholder {color}: did you mean {colour}?",
        ),
        ("lang/fr.json", ": case {position}", "{", "malformed"),
        (
            "lang/pl.json",
            '"language": "pl"',
            '"language": "pm"',
            'named "pm.json", or "language" must be "pl"',
        ),
        ("lang/pl.json", '"edition": "pl"', '"edition": "xx"', '"edition" must be one of en, '),
        ("lang/pl.json", "n % 10 = 2..4", "n modulo 10 = 2..4", '"plural": "n modulo 10 = 2..4"'),
        ("lang/pl.json", '"many": ""', '"many": "n = 7"', "takes what is left"),
        ("lang/fr.json", '"thousands"', '"thousand"', 'did you mean "thousands"'),
        ("lang/fr.json", '"count": "', '"count": {"one": "", "other": ""}, "": "', "no number"),
        ("lang/de.json", '"name": "rot"', '"name": "blau"', '"blau" cannot be a word of colour B'),
        ("lang/de.json", '"e": "rote"', '"e": "gelbe"', "it is one of colour R"),
        ("lang/de.json", '["Schwanz", ', '["Kopf", ', 'of "words.tail": it is one of "words.head"'),
        ("lang/de.json", '["Kopf", ', '["Rot", ', 'of "words.head": it is one of colour R'),
        ("lang/de.json", '["und", ', '["b", ', 'of "words.skip": it is one of colour B'),
        (
            "lang/de.json",
            '["Kopf", ',
            '["Kopf da", ',
            '"words.head" must be single words: "Kopf da"',
        ),
        (
            "lang/de.json",
            '["stapel", ',
            '["alle", ',
            'of command "all": it is one of command "pile"',
        ),
        ("lang/de.json", '"no": "nein"', '"no": "jawohl"', "one begins with the other"),
        ("lang/de.json", '"name": "', '"name": "x\\n', '"name" has a control character'),
        (
            "lang/de.json",
            '["und", ',
            '["{n:>9}", ',
            '"words.skip.0" has a brace, but cannot have placeholders',
        ),
        (
            "lang/de.json",
            '"Summe: ',
            '"Summe:\\n',
            "has a line break, and the English text has none",
        ),
        ("lang/de.json", '"plural": {', '"plural": {}, "x": {', '"plural" needs at least 1 entry'),
        ("lang/pl.json", "{colour:few}", "{colour:fev}", "which R, G, B, Y, K lack"),
        (
            "lang/en.json",
            '"count": "',
            '"kount": "',
            '"cards.count" is missing, which de, fr, pl have',
        ),
        ("lang/de.json", '["nimm", ', '["behalte", ', 'it is one of command "keep"'),
        ("lang/de.json", '"nimm {space}"', '"greif {space}"', 'word of command "take"'),
        ("lang/de.json", '"Summe: ', '"Summe\\u001b[31m: ', "has a control character"),
        ("lang/de.json", '"decimal": ","', '"decimal": ""', "decimal"),
        ("pages/pl.md", "# rules1 ", "# rules9 ", '"rules9 / '),
        ("pages/pl.md", "![supply", "![deal", '"deal" has 7 labels'),
        ("pages/pl.md", "![supply / ", "Hej / ", 'section "take" must have these figures: supply'),
    ],
)
def test_a_mistake_in_the_other_files_is_found(
    copy: Path, name: str, old: str, new: str, message: str
) -> None:
    edit(copy / name, old, new)
    problems = found(copy)
    assert any(message in problem and name in problem for problem in problems), problems


def test_a_game_without_english_is_not_complete(copy: Path) -> None:
    message = "lang/en.json: is missing, and all other languages rest on it"
    (copy / "lang").rename(copy / "elsewhere")
    assert message in only(copy)
    (copy / "elsewhere").rename(copy / "lang")
    (copy / "lang" / "en.json").unlink()
    assert message in only(copy)


@pytest.mark.parametrize("name", ["de.bak.json", "DE.json", "de-AT.json", ".json", "EN2.json"])
def test_a_language_file_is_named_by_its_code(copy: Path, name: str) -> None:
    shutil.copy(copy / "lang" / ("en.json" if "EN" in name else "de.json"), copy / "lang" / name)
    assert f"lang/{name}:3:15: the file must be named" in only(copy)
    assert list_language_codes(copy / "lang") == LANGUAGE_CODES


def test_a_missing_colour_is_named(copy: Path) -> None:
    path = copy / "lang" / "de.json"
    data = json.loads(path.read_bytes())
    del data["colours"]["R"]
    path.write_text(json.dumps(data), "utf-8")
    assert 'colour R is missing in "colours"' in only(copy)


def test_one_mistake_is_one_problem(copy: Path) -> None:
    path = copy / "lang" / "de.json"
    data = json.loads(path.read_bytes())
    for text, message in (
        (5, '"cards.count" must be a text in quotes or an object in { }, not 5'),
        ({"one": 5, "other": ""}, '"cards.count.one" must be a text in quotes, not 5'),
    ):
        data["cards"]["count"] = text
        path.write_text(json.dumps(data), "utf-8")
        assert message in only(copy)


def test_a_new_language_may_have_pages(copy: Path) -> None:
    for folder, suffix in (("lang", "json"), ("pages", "md")):
        shutil.copy(copy / folder / f"de.{suffix}", copy / folder / f"xx.{suffix}")
    edit(copy / "lang" / "xx.json", '"language": "de"', '"language": "xx"')
    assert found(copy) == []


def warnings(*paths: Path) -> list[str]:
    report = validate_files(paths)
    assert not report.problems
    return [str(problem).split("carddata/")[-1] for problem in report.warnings]


def test_a_missing_text_is_a_warning_with_file_and_key(copy: Path) -> None:
    path = copy / "lang" / "pl.json"
    data = json.loads(path.read_bytes())
    del data["labels"]["error"], data["commands"]["take"], data["cards"]["count"]
    path.write_text(json.dumps(data, indent=1), "utf-8")
    told = warnings(copy)
    assert len(told) == 3
    for key in ("labels.error", "commands.take", "cards.count"):
        assert any(re.match(rf'lang/pl\.json:\d+:\d+: "{key}" is missing', one) for one in told)


def test_missing_pages_are_warnings(copy: Path) -> None:
    (copy / "pages" / "fr.md").unlink()
    path = copy / "pages" / "pl.md"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("## end")] + text[text.index("## rulings") :], "utf-8")
    assert warnings(copy) == [
        "pages/fr.md: is missing: the English pages are printed",
        f"pages/pl.md:{len(path.read_text('utf-8').splitlines())}:1: "
        'section "end" of page "rules2" is missing',
    ]


def test_broken_files_are_known_by_their_names(copy: Path) -> None:
    (copy / "components.json").write_text("{}")
    (copy / "lang" / "pl.json").write_text("[]")
    problems = found(copy)
    assert any('components.json:1:1: "pieces" is missing' in problem for problem in problems)
    assert any("pl.json:1:1: the file must be an object" in problem for problem in problems)
    assert not any('"cards" is missing' in problem for problem in problems)


def test_a_language_in_use_is_checked_however_broken_it_is(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "LANGUAGES", copy / "lang")
    language.load_language.cache_clear()
    (copy / "lang" / "pl.json").write_text('{"language": "pl"}')
    try:
        assert any('pl.json:1:1: "colours" is missing' in problem for problem in found(copy))
    finally:
        language.load_language.cache_clear()


def test_a_language_may_be_gone(copy: Path) -> None:
    (copy / "lang" / "pl.json").unlink()
    assert not found(copy)


def test_the_very_same_card_twice_is_one_card(write: Write) -> None:
    path = write(GOOD)
    assert len(load_cards(path, path)) == 76


def test_loading_names_every_problem(write: Write) -> None:
    path = write({**GOOD, "colour": "pink"}, {**GOOD, "id": "P05"})
    with pytest.raises(CardDataError) as caught:
        load_cards(path)
    assert f"{path}:2:" in str(caught.value)
    assert f"{path}:3:" in str(caught.value)

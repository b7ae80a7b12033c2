"""What an editor shows of a ruleset, by the real yaml-language-server: hover, completion, faults at their place.

It is found by MELDREF_YAML_LANGUAGE_SERVER or on the PATH; without it these tests are skipped. `npm
install yaml-language-server` in any folder puts it into `node_modules/.bin` there.
"""

import os
import re
import shutil

import pytest

from language_server import LanguageServer
from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.core.resources import data_path
from meldref.rulefiles.vocabulary import ANY_NAME, describe_key, list_keys
from paths import ROOT

COMMAND = os.environ.get("MELDREF_YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")
LINE = "# yaml-language-server: $schema=ruleset.schema.json\n"
SHIPPED = sorted(
    [
        *(ROOT / "rulesets").glob("*.yaml"),
        *(ROOT / "rulesets" / "options").glob("*.yaml"),
        ROOT / "examples" / "our-house.yaml",
    ]
)

pytestmark = pytest.mark.skipif(
    COMMAND is None,
    reason="no yaml-language-server, neither in MELDREF_YAML_LANGUAGE_SERVER nor on the PATH",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as an author has it: the schema, and a file beside it."""
    made = tmp_path_factory.mktemp("rules")
    shutil.copy(data_path("rulesets", "ruleset.schema.json"), made / "ruleset.schema.json")
    return made


@pytest.fixture(scope="module")
def server(folder):
    with LanguageServer([COMMAND, "--stdio"], folder) as running:
        yield running


@pytest.fixture
def file(folder, request):
    """A file of the author's, another one for each test."""
    return folder / f"{re.sub(r'[^a-z]+', '-', request.node.name)}.yaml"


def plain(markdown):
    """Text without what Markdown needs to print it as it is."""
    return re.sub(r"\\(.)", r"\1", markdown)


def keys_of(text):
    """Each key of a file that has one a line: its line and column, and its path."""
    above = []
    for line, content in enumerate(text.splitlines()):
        if found := re.match(r"( *)([\w-]+):", content):
            column = len(found[1])
            above = [(indent, name) for indent, name in above if indent < column]
            above.append((column, found[2]))
            yield line, column, ".".join(name for _, name in above)


def nested(path, last):
    """A file with nothing but this key and its sections, and the place where the value would stand."""
    *sections, key = path.replace(ANY_NAME, "group").split(".")
    lines = [f"{'  ' * depth}{name}:" for depth, name in enumerate(sections)]
    lines.append(f"{'  ' * len(sections)}{key}: {last}")
    return LINE + "\n".join(lines) + "\n", (len(lines), len(lines[-1]))


def documented(item):
    """The text beside an offer, which may come as Markdown."""
    said = item.get("documentation", "")
    return said["value"] if isinstance(said, dict) else said


def test_every_key_is_explained_where_the_pointer_rests(server, file):
    text = (ROOT / "rulesets" / "500-rummy.yaml").read_text(encoding="utf-8")
    server.write(file, text)
    explained = []
    for line, column, path in keys_of(text):
        key = describe_key(path)
        if key is None:  # a number of players or a rank, in a table
            continue
        shown = plain(server.hover(file, line, column))
        heading = f"#### {path}".replace(".group", f".{ANY_NAME}").replace(
            ".sequence", f".{ANY_NAME}"
        )
        assert shown.startswith(f"{heading}\n\n{key.text}\n"), path
        if key.takes == "one of these words":
            for word in key.words:
                assert f"* `{word.value}`: {word.text}" in shown, path
        explained.append(path)
    assert len(explained) > 90
    assert {"draw.deep.must", "melds.kinds.group.size", "scoring.below_zero.hand"} <= set(explained)


def test_a_word_in_a_list_is_explained(server, file):
    server.write(file, LINE + "draw:\n  use: [lay_off]\n")
    assert "* `lay_off`: Laying it off on a meld" in plain(server.hover(file, 2, 10))


def test_the_words_of_every_key_are_offered_with_what_they_mean(server, file):
    keys = [
        key
        for key in list_keys()
        if key.takes == "one of these words" and not key.path.startswith("cases")
    ]
    assert len(keys) > 50
    for key in keys:
        text, place = nested(key.path, "")
        server.write(file, text)
        offered = server.complete(file, *place)
        assert {label: documented(item) for label, item in offered.items()} == {
            word.value: word.text for word in key.words
        }, key.path


def test_the_words_of_a_list_are_offered_inside_it(server, file):
    for path in (
        "draw.use",
        "floating.draws",
        "melds.wild.cards",
        f"melds.kinds.{ANY_NAME}.require",
    ):
        text, (line, column) = nested(path, "[ ]")
        server.write(file, text)
        offered = server.complete(file, line, column - 2)
        assert {word.value for word in describe_key(path).words} - {"only: […]"} == set(offered), (
            path
        )


def test_the_words_of_a_list_are_offered_line_by_line_with_what_they_mean(server, file):
    for path in (
        "draw.use",
        "melds.wild.cards",
        f"melds.kinds.{ANY_NAME}.require",
        f"melds.kinds.{ANY_NAME}.ace",
    ):
        text, (line, _) = nested(path, "")
        dash = "  " * path.count(".") + "- "
        server.write(file, f"{text}{dash}\n")
        offered = server.complete(file, line + 1, len(dash))
        words = {
            word.value: word.text for word in describe_key(path).words if word.value != "only: […]"
        }
        assert (
            words.items() <= {label: documented(item) for label, item in offered.items()}.items()
        ), path


def test_beside_a_number_its_words_and_examples_are_offered(server, file):
    for path, labels in (
        ("scoring.low_ace", {"1", "same"}),
        ("scoring.four_aces", {"none", "100"}),
    ):
        text, place = nested(path, "")
        server.write(file, text)
        assert labels <= set(server.complete(file, *place)), path


@pytest.mark.parametrize(
    "section", ["", "calls", "draw.deep", "scoring.below_zero", "melds.kinds.group"]
)
def test_the_keys_of_a_section_are_offered_in_it_with_what_they_mean(server, file, section):
    names = section.split(".") if section else []
    text = (
        LINE
        + "".join(f"{'  ' * depth}{name}:\n" for depth, name in enumerate(names))
        + "  " * len(names)
    )
    server.write(file, text + "\n")
    offered = server.complete(file, 1 + len(names), 2 * len(names))
    prefix = section.replace(".group", f".{ANY_NAME}") + ("." if section else "")
    below = {
        key.path.removeprefix(prefix): key.text
        for key in list_keys()
        if key.path.startswith(prefix) and "." not in key.path.removeprefix(prefix)
    }
    assert {label: documented(item) for label, item in offered.items()} == below


def test_what_is_set_already_is_not_offered_again(server, file):
    server.write(file, LINE + "calls:\n  of: none\n  \n")
    assert "of" not in server.complete(file, 3, 2)


FAULTS = {
    "a wrong word": (
        "calls:\n  until: next_drow\n",
        (2, 9),
        '"next_draw", "next_discard", "any_time"',
    ),
    "an unknown key": ("calls:\n  of: pile\n  hows: 3\n", (3, 2), "hows is not allowed"),
    "an unknown section": ("call: {of: none}\n", (1, 0), "call is not allowed"),
    "a range with spaces": (
        "melds:\n  kinds:\n    group: {size: 3 - 4}\n",
        (3, 18),
        "a range as in 3-4",
    ),
    "a word for a number": ("deck:\n  jokers: two\n", (2, 10), '"integer"'),
    "a number too large": ("deck:\n  packs: 1\n  jokers: 9\n", (3, 10), "4"),
    "a wrong rank": (
        "scoring:\n  values:\n    2-9: 5\n    Z: 3\n",
        (4, 4),
        "write 5, 2-9, T-K, A, Qs, joker or wild",
    ),
    "a wrong number of players": ("deal:\n  cards: {2: 10, many: 7}\n", (2, 17), "write 4 or 5-8"),
    "a word beside a number": ("scoring:\n  low_ace: sam\n", (2, 11), "a number, or same"),
    "a word for a list": ("draw:\n  use: meld\n", (2, 7), '"array"'),
    "a wrong constraint": (
        "melds:\n  kinds:\n    run: {require: [same_suits]}\n",
        (3, 20),
        '"same_suit"',
    ),
    "a case without a verdict": ("cases:\n- name: x\n  expect: {at: 1}\n", (3, 2), '"verdict"'),
    "a wrong id": ("id: Our House\n", (1, 4), "small letters, digits and hyphens"),
    "what is an option's, in a game": ("excludes: [floating]\n", (1, 10), "0 or fewer"),
}


@pytest.fixture(scope="module")
def faulty(server, folder):
    """A file for each fault, all written before the first is looked at: the server takes its time over each."""
    files = {fault: folder / f"fault-{number}.yaml" for number, fault in enumerate(FAULTS)}
    for fault, file in files.items():
        server.write(file, LINE + FAULTS[fault][0])
    return files


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_marked_at_its_place(server, faulty, fault):
    _, (line, column), words = FAULTS[fault]
    found = server.faults(faulty[fault])
    assert [
        (one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in found
    ] == [(line, column)]
    assert words in found[0]["message"]


def test_all_faults_of_a_file_are_marked_and_go_when_mended(server, file):
    text = LINE + "calls:\n  until: next_drow\n  hows: 3\n"
    server.write(file, text)
    assert sorted(one["range"]["start"]["line"] for one in server.faults(file)) == [2, 3]
    server.write(file, text.replace("next_drow", "next_draw").replace("  hows: 3\n", ""))
    assert server.faults(file) == []


def test_nothing_is_marked_in_the_files_that_ship(server):
    assert len(SHIPPED) > 30
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# yaml-language-server: $schema="), path
        server.write(path, text)
    assert {path.name: server.faults(path) for path in SHIPPED if server.faults(path)} == {}


def test_the_schema_of_a_file_that_ships_is_found(server):
    path = ROOT / "rulesets" / "options" / "floating.yaml"
    server.write(path, path.read_text(encoding="utf-8") + "\nnonsense: 1\n")
    assert ["nonsense" in one["message"] for one in server.faults(path)] == [True]


@pytest.mark.parametrize("place", ["plain", "with the schema", "our rules"])
def test_a_file_from_rules_new_is_explained_and_without_fault(server, folder, meldref, place):
    file = folder / place / "mine.yaml"
    file.parent.mkdir()
    if place == "with the schema":
        (file.parent / "ruleset.schema.json").write_text(
            meldref("rules", "schema").out, encoding="utf-8"
        )
    assert (
        meldref("rules", "new", file, "--target", "1000", "--calls", "none", "--no-ask").code == 0
    )
    text = file.read_text(encoding="utf-8")
    server.write(file, text)
    places = {path: (line, column) for line, column, path in keys_of(text)}
    assert plain(server.hover(file, *places["calls"])).startswith("#### calls")
    assert server.faults(file) == []
    server.write(file, text.replace("1000", "a lot"))
    assert len(server.faults(file)) == 1


HOUSE = "house_rules:\n  no-aces:\n    forbid: discard\n    when: "


def test_the_facts_of_a_condition_are_explained_and_offered(server, file):
    facts = {
        f"{subject}.{fact.name}": fact.about
        for subject, (known, _, _) in SUBJECTS.items()
        for fact in known.values()
    }
    facts |= {name: fact.about for name, fact in LISTS.items()}
    server.write(file, LINE + HOUSE + "card.rank is A\n")
    shown = plain(server.hover(file, 4, 5))
    for subject, (_, _, about) in SUBJECTS.items():
        assert f"`{subject}`: {about}" in shown, subject
    for name, about in facts.items():
        assert f"{name.rpartition('.')[2]}`" in shown, name
        assert about in shown, name
    server.write(file, LINE + HOUSE + "\n")
    offered = {
        label: documented(item)
        for label, item in server.complete(file, 4, len("    when: ")).items()
    }
    for name, about in facts.items():
        assert about in offered[name], name

"""The rulebook: each key of play and scoring changes its text, resting keys leave none, examples are judged."""

import json
import re
from collections import Counter
from functools import lru_cache
from html.parser import HTMLParser
from operator import attrgetter
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import melds_oracle
import simulated
from meldref.core.cards import RANKS
from meldref.core.records import changed
from meldref.core.resources import data_path
from meldref.rulefiles.consistency import ineffective
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.vocabulary import describe_key
from meldref.ruleset.model import Require
from meldref_authoring.rulebook import as_html, as_markdown, make_rulebook, phrases
from meldref_authoring.rulebook.examples import scene
from meldref_authoring.rulebook.examples.bench import Bench, benches
from meldref_authoring.rulebook.examples.play import MAKERS, examples_of
from meldref_authoring.rulebook.model import CardExample, Cards
from meldref_authoring.rulebook.sentences import LISTS, Says, contents, noting, shared
from meldref_authoring.rulefiles.show import merged_values
from written import pairs, read_yaml_file

PAIRS = pairs()
PLAYS = Path(scene.__file__).with_name("plays.yaml")
SCHEMA = json.loads(data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8"))
GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]
OPTIONS = [shipped.id for shipped in list_rulesets() if shipped.type == "option"]
LEAD, CHAPTERS = contents()
SAYS = [
    one for chapter in CHAPTERS for part in chapter.parts if isinstance(part, tuple) for one in part
]
UNDER = {
    "kinds": {"melds.kinds"},
    "values": {"scoring.values", "scoring.held"},
    "customs": {"customs"},
}
"""The keys whose values a list has."""


def as_words(value):
    """A value whose keys are words, as a rules file has them."""
    if isinstance(value, dict):
        return {str(key): as_words(inner) for key, inner in value.items()}
    return [as_words(inner) for inner in value] if isinstance(value, list) else value


@lru_cache(maxsize=512)
def loaded(rules, options, written):
    """A ruleset with settings, written as JSON, and the prose of it."""
    ruleset, findings = load_ruleset(rules, options, json.loads(written))
    assert ruleset is not None, findings
    return ruleset, prose(ruleset)


def prose(ruleset):
    """The sentences of a rulebook, without examples and what it was made from."""
    return as_markdown(changed(make_rulebook(ruleset, examples=False), made_from="", source=""))


def of_pair(pair, **more):
    """The ruleset and the prose of a pair, with one more setting."""
    set_ = as_words({**pair.get("set", {}), **more})
    return loaded(
        pair.get("rules", "500-rummy"),
        tuple(pair.get("with", ())),
        json.dumps(set_, sort_keys=True),
    )


def shipped_rulesets():
    """Every game, and 500 Rummy with each option that goes with it alone."""
    for game in GAMES:
        yield game, load_ruleset(game)[0]
    for option in OPTIONS:
        ruleset, _ = load_ruleset("500-rummy", (option,))
        if ruleset is not None:
            yield option, ruleset
    yield (
        "all afloat",
        load_ruleset("500-rummy", ("floating", "unplayable-last-discard", "two-packs"))[0],
    )


SHIPPED = dict(shipped_rulesets())


# --- keys and sentences ---------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair['key']}-{pair['value']}" for pair in PAIRS])
@pytest.mark.sweep(every=4)
def test_each_value_of_each_key_changes_the_text(pair):
    """The pairs are those of which the referee is shown to rule otherwise; every key and word has one."""
    _, before = of_pair(pair)
    _, after = of_pair(pair, **{pair["key"]: pair["value"]})
    assert before != after


@pytest.mark.sweep
def test_no_two_words_of_a_key_read_alike():
    said = {}
    for pair in PAIRS:
        if isinstance(pair["value"], str):
            base = json.dumps(
                [pair["key"], pair.get("rules"), pair.get("with"), pair.get("set")], sort_keys=True
            )
            said.setdefault(base, []).append(of_pair(pair, **{pair["key"]: pair["value"]})[1])
    assert all(len(set(texts)) == len(texts) for texts in said.values())


def words_of(ruleset, key):
    """The words that a key of the model can take; of one without words, the schema's example."""
    path, _, last = key.rpartition(".")
    kind = get_type_hints(type(attrgetter(path)(ruleset)))[last]
    if get_origin(kind) is Literal:
        return get_args(kind)
    example = describe_key(key).examples[0]
    if isinstance(example, int):  # perhaps nothing that goes with the rest of 500 Rummy
        return (example,)
    return (attrgetter(key)(simulated.ruleset(settings={key: example})),)


def with_value(section, key, value):
    """A section with another value at a key path."""
    name, _, rest = key.partition(".")
    return changed(
        section, **{name: with_value(getattr(section, name), rest, value) if rest else value}
    )


def sentences(ruleset):
    """Every sentence of a rulebook with its keys."""
    return [sentence for one in (*LEAD, *SAYS) if (sentence := one.of(ruleset)) is not None]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.sweep(every=12)
def test_a_key_that_does_not_matter_leaves_nothing(name):
    ruleset = SHIPPED[name]
    text = prose(ruleset)
    rests = dict(ineffective(ruleset))
    assert rests
    for key in rests:
        assert not [sentence for sentence in sentences(ruleset) if key in sentence.keys]
        for word in words_of(ruleset, key):
            assert prose(with_value(ruleset, key, word)) == text, (key, word)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sentence_names_keys_that_it_read_and_is_one(name):
    for one in (*LEAD, *SAYS):
        noted, read = noting(SHIPPED[name])
        text = one.write(noted)
        sentence = one.of(SHIPPED[name])
        assert (sentence is None) == (text is None)
        if sentence is not None:
            assert set(sentence.keys) == set(one.keys) & read
            assert sentence.text[-1] == "." or sentence.text[-1] == ":"
            assert sentence.text[0].isupper()
            assert "  " not in sentence.text
            assert not {*"{}"} & {*sentence.text}


@pytest.mark.sweep
def test_what_a_sentence_is_about_decides_what_it_says():
    """Each key that a sentence names is read for it under some ruleset."""
    aces = {"scoring.high_ace": 20, "scoring.around_ace": 5}
    aces["melds.kinds.sequence.ace"] = ["low", "high", "around"]
    fours = {"scoring.four_aces": 100, "scoring.four_at_once": 2}
    points_to_begin, _ = load_ruleset("kalooki-40", (), aces | fours)
    for one in SAYS:
        read = set()
        for ruleset in [
            points_to_begin,
            *SHIPPED.values(),
            *(of_pair(pair, **{pair["key"]: pair["value"]})[0] for pair in PAIRS),
        ]:
            noted, keys = noting(ruleset)
            if one.write(noted) is not None:
                read |= keys
        assert set(one.keys) <= read, one.keys


def test_every_name_and_word_in_the_file_of_sentences_has_a_meaning():
    """Conditions ask for words that their keys know; phrases, formats and conditions exist, and are used."""
    used = set()
    for one in (*LEAD, *SAYS):
        own = set(one.own) - {"about", "if", "text"}
        known = {*own, *shared()["phrases"], *shared()["conditions"], *phrases.WORKED_OUT}
        named = set(
            names_in(
                [text for name, text in one.own.items() if name != "about"],
                conditions=one.condition,
            )
        )
        assert named <= known, named - known
        assert own <= named, own - named
        used |= named
    kind = shared()["kind"]
    named = set(names_in([*kind.values()]))
    assert {*kind} - {"text"} <= named <= {*kind, *shared()["conditions"], "sizes", "ranks"}
    assert {*shared()["kind fails"]} == {*get_args(Require), "only"}
    used |= named
    used |= set(names_in(list(shared()["phrases"].values())))
    for condition in shared()["conditions"].values():
        used |= set(names_in(None, conditions=condition))
    assert {*shared()["phrases"], *shared()["conditions"], *phrases.WORKED_OUT} <= used


def test_every_name_and_word_in_the_file_of_plays_has_a_meaning():
    plays = [play for example in read_yaml_file(PLAYS)["examples"].values() for play in example]
    known = {*shared()["phrases"], *shared()["conditions"], *phrases.WORKED_OUT}
    for play in plays:
        assert set(names_in([*play.get("words", {}).values()], conditions=play.get("if"))) <= known
    assert {play["play"] for play in plays} == set(read_yaml_file(PLAYS)["plays"])


def names_in(text, conditions=None):
    """The phrases and named conditions in a text of the file; asserts that each word is one that its key knows."""
    for condition in re.split(" and | or ", conditions or ""):
        of_key = re.fullmatch(r"(\S+\.\S+) (?:is|has)(?: not)? (\S+)", condition)
        if of_key is None:
            yield from filter(None, [condition.removeprefix("not ")])
        elif "." not in of_key[2]:
            assert_word(*of_key.groups())
    match text:
        case str():
            yield from (name for name in re.findall(r"\{([^}]+)\}", text) if "." not in name)
        case list():
            for one in text:
                yield from names_in(one)
        case dict():
            for name, inner in text.items():
                if name in {"and", "or"}:
                    yield from names_in(inner)
                elif "." in name and " " not in name:
                    for word, said in inner.items():
                        assert_word(name, word)
                        yield from names_in(said)
                else:
                    yield from names_in(None, conditions=name)
                    yield from names_in(inner)


def assert_word(key, word):
    """Asserts that a key can be that word; numbers and lists are not asked further."""
    section = SHIPPED["500-rummy"]
    *path, last = key.split(".")
    for name in path:
        section = section.melds.kinds[0] if name == "kind" else getattr(section, name)
    kind = get_type_hints(type(section))[last]
    if get_origin(kind) is tuple and word != "empty":
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        assert word in get_args(kind), (key, word)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_list_reads_the_keys_it_names(name):
    assert {part for chapter in CHAPTERS for part in chapter.parts if callable(part)} == {
        *LISTS.values()
    }
    for one, make in LISTS.items():
        noted, read = noting(SHIPPED[name])
        if make(noted) is not None:
            assert UNDER[one] & read


def test_every_key_of_play_and_scoring_is_said_by_somebody():
    said = {key for one in SAYS for key in one.keys} | {
        key for keys in UNDER.values() for key in keys
    }
    keys = {key for key, _, _ in merged_values(SHIPPED["500-rummy"])}
    missing = {
        key for key in keys if not any(key == one or key.startswith(f"{one}.") for one in said)
    }
    assert not missing
    assert all(
        any(key == one or key.startswith(f"{one}.") for key in keys | {"customs", "scoring.held"})
        for one in said
    )


def test_a_sentence_knows_nothing_but_its_ruleset():
    book = make_rulebook(SHIPPED["persian-rummy"])
    assert as_markdown(book) == as_markdown(make_rulebook(load_ruleset("persian-rummy")[0]))


KINDS = st.fixed_dictionaries(
    {
        "size": st.sampled_from([1, 2, "2-3", "3-4"]),
        "require": st.lists(
            st.sampled_from([*get_args(Require), {"only": ["K", "Q", "A"]}, {"only": ["joker"]}]),
            max_size=3,
            unique_by=str,
        ),
        "ace": st.lists(st.sampled_from(["low", "high", "around"]), max_size=3, unique=True),
    }
)
WILD = st.lists(st.sampled_from(["joker", "named", *RANKS]), max_size=5, unique=True)


@settings(max_examples=6)
@given(
    st.sampled_from(GAMES),
    st.lists(st.sampled_from(PAIRS), max_size=4),
    st.none() | KINDS,
    st.none() | WILD,
)
@pytest.mark.sweep
def test_any_rules_that_make_sense_can_be_written_out(game, pairs, kind, wild):
    changes = {}
    for pair in pairs:
        changes |= as_words({**pair.get("set", {}), pair["key"]: pair["value"]})
    if kind is not None:
        changes |= {f"melds.kinds.odd.{part}": value for part, value in kind.items()}
    if wild is not None:
        changes["melds.wild.cards"] = wild
    ruleset, _ = load_ruleset(game, (), changes)
    if ruleset is not None:
        book = make_rulebook(ruleset)
        assert_well_formed(as_html(book))
        assert "None" not in as_markdown(book)


# --- examples -------------------------------------------------------------------------------------

IN_EVERY_GAME = {"kinds", "aces", "lay_off", "take_deep", "discard", "going_out", "values"}
BESIDES = {
    "500-rummy": {"wild_cards", "calls"},
    "500-rum": {"calls"},
    "partnership-500-rum": {"calls"},
    "persian-rummy": {"calls"},
    "gilfoy-500-rummy": {"take_top", "calls", "floating"},
    "online-rummy-500": {"wild_cards", "swap"},
    "michigan-rum": set(),
    "5000-rummy": {"wild_cards", "swap"},
    "kalooki-40": {"wild_cards", "swap", "first_points", "take_top"},
    "contract-rummy": {"wild_cards"},
    "basic-rummy": set(),
    "shanghai-rummy": {"wild_cards"},
    "may-i": {"wild_cards"},
    "three-thirteen": {"wild_cards"},
}
NOT_SHOWN = {
    "gilfoy-500-rummy": {"discard"},
    "kalooki-40": {"take_deep", "discard"},
    "contract-rummy": {"take_deep"},
    "basic-rummy": {"take_deep"},
    "shanghai-rummy": {"take_deep"},
    "may-i": {"take_deep"},
    "three-thirteen": {"take_deep", "lay_off", "aces"},
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.sweep(every=5)
def test_each_rule_that_cards_can_show_has_an_example(game):
    shown = {name for name in MAKERS if examples_of(name, benches(SHIPPED[game]))}
    assert shown == (IN_EVERY_GAME | BESIDES[game]) - NOT_SHOWN.get(game, set())


def test_what_an_example_allows_is_legal_in_every_hand():
    """Where each hand has a contract of its own, nobody goes out with a meld that fills none of them."""
    ruleset = SHIPPED["contract-rummy"]
    (example,) = examples_of("going_out", benches(ruleset))
    assert any("lay off" in part for part in example.allowed if isinstance(part, str))


SHOWING = (
    ("first_points", {"melds.first_points": 40}),
    ("take_top", {"draw.top.must": "be_used"}),
    ("take_top", {"draw.top.must": "be_used", "draw.use": ["meld"]}),
    ("floating", {"out.melding_all": "floats", "floating.playable": "must_be_used"}),
    ("going_out", {"out.melding_all": "floats", "out.last_discard": "unplayable"}),
    ("discard", {"discard.taken_top": "allowed", "discard.taken_deep": "top_only"}),
    ("discard", {"discard.taken_deep": "top_only", "draw.deep.must": "nothing"}),
    ("discard", {"discard.taken_deep": "not_deepest", "draw.deep.must": "nothing"}),
    ("lay_off", {"layoff.onto": "own"}),
    ("calls", {"calls.of": "last_discard"}),
    ("take_deep", {"draw.use": ["lay_off"]}),
    ("swap", {"melds.wild.swap": "for_natural", "melds.wild.cards": [2], "deck.jokers": 0}),
    ("swap", {"melds.wild.swap": "for_natural", "melds.wild.swapped": "to_end"}),
)
"""Settings of 500 Rummy that have examples of a sort."""


def test_settings_that_cards_can_show_have_examples_too():
    for name, changes in SHOWING:
        ruleset, findings = load_ruleset("500-rummy", (), changes)
        assert ruleset is not None, findings
        assert examples_of(name, benches(ruleset)), name


@pytest.mark.sweep
def test_every_play_that_is_described_is_shown_under_some_rules(monkeypatch):
    shown, show = set(), Bench.show

    def noted(bench, name, **parts):
        for example in show(bench, name, **parts):
            shown.add(name)
            yield example

    monkeypatch.setattr(Bench, "show", noted)
    for game in GAMES:
        for name in set(MAKERS) - {"kinds", "aces", "values", "wild_cards", "first_points"}:
            examples_of(name, benches(SHIPPED[game]))
    for name, changes in SHOWING:
        examples_of(name, benches(load_ruleset("500-rummy", (), changes)[0]))
    assert shown == set(read_yaml_file(PLAYS)["plays"])


@pytest.mark.parametrize(
    "name", ["500-rummy", "persian-rummy", "sequences-of-four", "chosen-wild-rank"]
)
def test_melds_in_examples_are_what_a_search_without_the_library_says(name):
    ruleset = SHIPPED[name]
    _, bench = benches(ruleset)
    packs = ruleset.deck.packs[bench.players]
    deck = packs, packs * ruleset.deck.jokers

    def is_meld(cards):
        wild = ruleset.melds.wild
        assert not wild.cards or "named" not in wild.cards or bench.wild_rank is not None
        return bool(melds_oracle.readings(ruleset.melds.kinds, wild, cards, *deck))

    checked = 0
    for maker in ("kinds", "aces") + (("wild_cards",) if name == "500-rummy" else ()):
        for example in examples_of(maker, benches(ruleset)):
            good = [part.cards for part in example.allowed if isinstance(part, Cards)]
            bad = [
                part.cards for line in example.forbidden for part in line if isinstance(part, Cards)
            ]
            assert good
            assert bad
            assert all(map(is_meld, good))
            assert not any(map(is_meld, bad))
            checked += len(good) + len(bad)
    assert checked > 10


@pytest.mark.parametrize("name", ["500-rummy", "online-rummy-500", "persian-rummy"])
def test_what_is_not_allowed_differs_by_one_card(name):
    for maker in ("kinds", "aces", "wild_cards"):
        for example in examples_of(maker, benches(SHIPPED[name])):
            good = [
                Counter(p.card for p in part.cards)
                for part in example.allowed
                if isinstance(part, Cards)
            ]
            for line in example.forbidden:
                bad = next(
                    Counter(played.card for played in part.cards)
                    for part in line
                    if isinstance(part, Cards)
                )
                assert any((one - bad).total() <= 1 and (bad - one).total() <= 1 for one in good)


@pytest.mark.sweep
def test_what_the_judge_does_not_say_is_not_printed(monkeypatch):
    """A judge who finds nothing, or always something, leaves no example of play."""
    ruleset = SHIPPED["500-rummy"]
    play = ("lay_off", "take_deep", "discard", "calls", "going_out")
    for found in ((), ("turn.order",), None):
        monkeypatch.setattr(Bench, "codes", lambda *_, found=found: found)
        assert not [name for name in play if examples_of(name, benches(ruleset))]


# --- pages ----------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Collects tags that are open, what was written, and links and where they lead."""

    EMPTY = ("meta", "link", "br", "hr")

    def __init__(self):
        super().__init__()
        self.open, self.text, self.links, self.ids, self.tags = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        named = dict(attrs)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        assert "src" not in named
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def assert_well_formed(page):
    """Tags are closed, links lead somewhere on the page, headings stand in order; returns what was read."""
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert not tags.open
    assert len(set(tags.ids)) == len(tags.ids)
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    headings = [tag for tag in tags.tags if tag in {"h1", "h2", "h3"}]
    assert headings[0] == "h1"
    assert set(headings[1:]) == {"h2"}
    return tags


@pytest.mark.sweep(every=5)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_stands_alone_and_is_well_formed(game):
    page = as_html(make_rulebook(SHIPPED[game]))
    tags = assert_well_formed(page)
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert {"title", "main", "h1", "nav", "section"} <= set(tags.tags)
    assert "script" not in tags.tags
    assert "http" not in page
    assert "light-dark(" in page
    assert "@media print" in page


def test_red_suits_are_coloured_and_cards_are_read_aloud():
    page = as_html(make_rulebook(SHIPPED["500-rummy"]))
    assert (
        '<span class="card red" role="img" aria-label="ace of diamonds">A♦\N{VARIATION SELECTOR-15}</span>'
        in page
    )
    assert (
        '<span class="card" role="img" aria-label="queen of clubs">Q♣\N{VARIATION SELECTOR-15}</span>'
        in page
    )


STRANGE = 'Ann & <b>Bob\'s</b> "game" *1* [x](y) `z` | ~'


def test_what_people_write_is_shown_as_they_wrote_it():
    ruleset = changed(
        SHIPPED["500-rummy"],
        name=STRANGE,
        source=STRANGE,
        customs=(STRANGE, "- one", "2. two", "# x"),
    )
    book = make_rulebook(ruleset, examples=False)
    tags = assert_well_formed(as_html(book))
    assert "".join(tags.text).count(STRANGE) == 4
    assert "b" not in tags.tags
    page = as_markdown(book)
    assert r"\<b\>" in page
    assert r"\*1\*" in page
    assert "\n- \\- one\n- 2\\. two\n- \\# x\n" in page


def test_customs_that_break_over_lines_stay_one_item():
    ruleset = changed(SHIPPED["500-rummy"], customs=("First,\n\n- then\n# last",))
    assert "\n- First, - then # last\n" in as_markdown(make_rulebook(ruleset, examples=False))


def test_chapters_and_sentences_are_data():
    for chapter in CHAPTERS:
        assert chapter.title
        for part in chapter.parts:
            assert (
                callable(part)
                or isinstance(part, str)
                or all(isinstance(one, Says) for one in part)
            )
    shown = [part for chapter in CHAPTERS for part in chapter.parts if isinstance(part, str)]
    assert sorted(shown) == sorted(MAKERS)


def test_examples_are_part_of_the_book():
    blocks = [
        block
        for section in make_rulebook(SHIPPED["500-rummy"]).sections
        for block in section.blocks
    ]
    assert sum(isinstance(block, CardExample) for block in blocks) > 10


@pytest.mark.parametrize(
    ("settings", "last"),
    [([], 7), (["game.hands=5"], 5), (["game.hands=5", "game.tie.by=more_hands"], 7)],
)
def test_a_hand_that_the_game_does_not_come_to_is_left_out(settings, last):
    ruleset, _ = load_ruleset("contract-rummy", settings=settings)
    text = prose(ruleset)
    told = [number for number in range(1, 8) if f"**Hand {number}:**" in text]
    assert told == [*range(1, last + 1)]


def test_a_game_until_one_player_is_left_has_no_target():
    ruleset, _ = load_ruleset("kalooki-40", ["add-opponents-hand"])
    lead = " ".join(sentence.text for sentence in make_rulebook(ruleset, examples=False).lead)
    assert "500" not in lead
    assert lead.endswith("the last player left in wins.")


def test_what_a_hand_does_not_have_is_told_by_its_chapter():
    off = "{2: {calls: {of: none}, buys: {of: none}}}"
    ruleset, _ = load_ruleset("500-rummy", settings=("buys.of=last_discard", f"hands={off}"))
    (line,) = [line for line in prose(ruleset).splitlines() if line.startswith("- **Hand 2:**")]
    assert "What stands under “Buying” does not apply." in line
    assert 'What stands under “Calling "Rummy!"” does not apply.' in line
    assert "This does not apply:" not in line


def test_where_melds_count_for_nothing_no_card_on_the_table_counts_for_anybody():
    text = prose(load_ruleset("500-rummy", settings=("melds.wild.swap=for_natural",))[0])
    ignored = prose(
        load_ruleset("500-rummy", settings=("melds.wild.swap=for_natural", "scoring.melds=ignore"))[
            0
        ]
    )
    for said in (
        "counts for you",
        "counts for the player who lays it",
        "A wild card counts its own points",
    ):
        assert said in text
        assert said not in ignored


@pytest.mark.parametrize("use", [["meld", "lay_off"], ["meld"], ["lay_off"]])
def test_who_takes_the_whole_pile_takes_every_card_of_it(use):
    ruleset, _ = load_ruleset("500-rummy", (), {"draw.takes": "whole_pile", "draw.use": use})
    examples = examples_of("take_deep", benches(ruleset))
    assert examples
    for example in examples:
        place = example.scene.index("In the discard pile, the oldest first: ")
        lying = example.scene[place + 1].cards
        for line in (example.allowed, *example.forbidden):
            named, along = [part.cards for part in line if isinstance(part, Cards)][:2]
            assert [*along] == [card for card in lying if card in along]
            assert len(named) + len(along) == len(lying)


@pytest.mark.parametrize("swapped", ["to_hand", "to_end"])
def test_a_card_put_in_place_of_a_wild_card_counts_for_whom_the_rules_say(swapped):
    swap = {"melds.wild.swap": "for_natural", "melds.wild.swapped": swapped}
    layer = prose(load_ruleset("500-rummy", (), swap)[0])
    melder = prose(load_ruleset("500-rummy", (), {**swap, "layoff.counts_for": "melder"})[0])
    assert "; the card you put down counts for you, and" in layer
    assert "; the card you put down counts for the player who made the meld, and" in melder


@pytest.mark.parametrize("melds", ["count", "ignore"])
def test_what_a_partner_holds_counts_for_nobody_where_opponents_cards_go_to_the_player_out(melds):
    partners = {"partnership.score": "apart", "scoring.hands": "to_player_out"}
    text = prose(load_ruleset("partnership-500-rum", (), {**partners, "scoring.melds": melds})[0])
    assert "the player who went out" in text.casefold()
    assert "the points of all the cards that the opponents still hold" in text


@pytest.mark.parametrize("rank", [2, "named"])
def test_a_wild_card_counts_in_an_example_what_the_table_says(rank):
    rules = {"deck.jokers": 0, "melds.wild.cards": [rank], "scoring.values.wild": 40}
    text = as_markdown(make_rulebook(load_ruleset("500-rummy", (), rules)[0]))
    assert "| Wild cards | 40 |" in text
    example = r"For example:\*\* 6♣ 6♦ 6♥ count 18 points; 6♣ 6♦ \S+ \(as a six\) count 52 points;"
    assert re.search(example, text)


def hand_of(number, *settings):
    """What the rulebook of 500 Rummy with settings says of the hand of that number."""
    text = prose(load_ruleset("500-rummy", settings=settings)[0])
    start = f"- **Hand {number}:** "
    (line,) = [line for line in text.splitlines() if line.startswith(start)]
    return line.removeprefix(start)


def test_the_kinds_of_a_hand_follow_their_number():
    line = hand_of(2, "hands={2: {melds: {kinds: {sequence: {size: 4-13}, group: none}}}}")
    assert line.startswith("There is one kind: Sequence: Four or more cards")
    assert "This does not apply" not in line


def test_a_sentence_that_a_hand_only_gives_no_occasion_for_is_not_denied():
    line = hand_of(3, "hands={3: {scoring: {hands: ignore}}}")
    assert line == (
        "When the hand is over, each player adds up the points of the cards they have laid. "
        "Cards still held count for nothing."
    )
    assert "This does not apply: The first time you meld" in hand_of(
        2, "melds.contract=[group]", "hands={2: {melds: {contract: none}}}"
    )


@pytest.mark.parametrize("up_card", ["turned", "none"])
def test_a_card_turned_up_is_bought_only_where_one_is(up_card):
    bought = ("buys.of=last_discard", f"deal.up_card={up_card}")
    text = prose(load_ruleset("500-rummy", settings=bought)[0])
    assert ("turned up at the deal" in text) == (up_card == "turned")


def test_a_house_rule_about_buying_stands_where_buying_is_explained():
    rules = "{plain: {forbid: buy, when: card.rank is A, says: Aces are not bought.}}"
    settings = ("buys.of=last_discard", f"house_rules={rules}")
    book = make_rulebook(load_ruleset("500-rummy", settings=settings)[0], examples=False)
    (title,) = [one.title for one in book.sections if "Aces are not bought." in str(one.blocks)]
    assert title == "Buying"


def test_where_melds_count_for_nothing_no_meld_is_said_to_count():
    worth = {"four_at_once": 2, "four_aces": 100, "high_ace": 20, "wild": "represented"}
    rules = {f"scoring.{key}": value for key, value in worth.items()}
    text = as_markdown(make_rulebook(load_ruleset("contract-rummy", (), rules)[0]))
    for said in ("Four aces in one meld", "counts twice", "laid and", "♦ A♦ count"):
        assert said not in text
    assert "held count" in text


@pytest.mark.parametrize("hands", ["subtract", "add", "to_player_out", "ignore"])
def test_nobody_is_told_to_score_by_melds_that_count_for_nothing(hands):
    rules = {"scoring.melds": "ignore", "scoring.hands": hands, "scoring.held.joker": 50}
    text = prose(load_ruleset("500-rummy", (), rules)[0])
    assert "You score by laying melds" not in text
    assert "Points laid" not in text
    assert ("| Joker | 50 |" in text) == (hands != "ignore")


@pytest.mark.parametrize("playable", ["free", "must_be_used"])
def test_a_floater_is_not_told_to_lay_what_nobody_may_lay_off(playable):
    options = ("floating", "no-laying-off")
    text = prose(load_ruleset("500-rummy", options, {"floating.playable": playable})[0])
    assert "A floating player has no cards" in text
    assert "fits a meld on the table" not in text


@pytest.mark.parametrize("of", ["turn", "meld"])
def test_a_meld_that_is_worth_enough_is_no_example_where_the_contract_asks_for_more(of):
    points = {"melds.first_points": 30, "melds.first_points_of": of}
    contract = {**points, "melds.contract": ["group", "sequence 4"]}
    plain, _ = load_ruleset("500-rummy", (), points)
    asks_for_more, _ = load_ruleset("500-rummy", (), contract)
    assert examples_of("first_points", benches(plain))
    assert not examples_of("first_points", benches(asks_for_more))


def of_rule(game, rule, says):
    """What the rulebook of a game with a house rule shows as its example, line by line."""
    settings = () if rule is None else (f"house_rules={{own: {rule}}}",)
    text = as_markdown(make_rulebook(load_ruleset(game, settings=settings)[0]))
    _, _, after = text.partition(f"- {says}\n\n> ")
    return after.partition("\n\n")[0].split("\n>\n> ")


@pytest.mark.parametrize(
    "when", ["count(turn.melds) is 1", "count(turn.melds) > 0 and turn.points < 40"]
)
def test_a_move_that_leaves_the_turn_no_end_is_not_shown_as_allowed(when):
    """Whoever has laid something lays a meld, or the turn cannot be ended."""
    rule = f"{{forbid: end, when: {when}, says: Lay more.}}"
    _, right, wrong = of_rule("500-rummy", rule, "Lay more.")
    assert right.startswith("**Allowed:** meld")
    assert wrong.startswith("**Not allowed:** ")


def test_an_example_says_which_hand_it_is_of_where_another_judges_it_otherwise():
    rule = "{forbid: meld, when: meld.wilds > 0, says: Only natural cards.}"
    hands = "hands={2: {melds: {contract: [sequence]}}, 3: {melds: {contract: [group, group]}}}"
    settings = (f"house_rules={{own: {rule}}}", "melds.contract=[group]", hands)
    text = as_markdown(make_rulebook(load_ruleset("500-rummy", settings=settings)[0]))
    _, _, after = text.partition("- Only natural cards.\n\n> ")
    scene, right, _ = after.partition("\n\n")[0].split("\n>\n> ")
    assert right.startswith("**Allowed:** meld")
    assert "It is hand number" in scene


def test_what_leaves_the_turn_no_end_is_itself_not_allowed():
    says = "Until somebody is out, you lay melds only to go out, with all of your cards but the one that you discard."
    scene, right, wrong = of_rule("three-thirteen", None, says)
    assert "Done in this turn: draw" in scene
    assert "; meld" not in scene
    assert right.startswith("**Allowed:** meld")
    assert wrong.startswith("**Not allowed:** meld")


def test_an_example_says_who_threw_the_cards_where_a_rule_asks():
    rule = "{forbid: take, when: card.discarded_by is partner, says: Not your partner's.}"
    scene, right, wrong = of_rule("partnership-500-rum", rule, "Not your partner's.")
    thrown = re.search(r"Your partner threw ([^.]*)\.", scene)[1].split()
    assert re.search(r"take (\S+)", wrong)[1] in thrown
    assert re.search(r"take (\S+)", right)[1] not in thrown


def said(*options, **changes):
    """The rulebook of 500 Rummy with settings whose dots are written as double underscores."""
    rules = {key.replace("__", "."): value for key, value in changes.items()}
    return prose(load_ruleset("500-rummy", options, rules)[0])


def test_what_differs_between_laid_and_held_in_one_hand_is_said_of_each():
    line = hand_of(2, "hands={2: {scoring: {held: {A: 25, Qs: 40}}}}")
    assert "Points: 2 to 10: the number on the card; Jack, queen and king: 10;" in line
    assert "Ace: 15 laid and 25 held; Queen of spades: 10 laid and 40 held; Joker: 15." in line


@pytest.mark.parametrize("score", [{}, {"scoring__four_aces": 100}])
def test_four_aces_laid_at_once_are_no_exception_but_where_they_count_by_themselves(score):
    text = said(scoring__four_at_once=2, **score)
    assert "laid all at once, counts twice" in text
    assert ("Four aces count no more for that." in text) == bool(score)


@pytest.mark.parametrize(
    ("draws", "what"),
    [
        ({}, "take from the discard pile"),
        ({"draw__depth": "top"}, "take the top card of the discard pile"),
        ({"draw__takes": "whole_pile"}, "take the discard pile"),
    ],
)
def test_before_the_pile_is_turned_over_as_much_may_be_taken_as_in_any_turn(draws, what):
    text = said(stock__reshuffle="turn_over", stock__turned="whole_pile", **draws)
    assert f"the player whose turn it is may {what} first, under the usual rules" in text


@pytest.mark.parametrize("of", ["pile", "last_discard_or_set", "last_discard"])
@pytest.mark.parametrize("by", ["all_but_discarder", "discarder"])
@pytest.mark.parametrize("onto", ["own", "own_side"])
def test_nobody_is_told_to_build_on_melds_that_are_not_theirs(of, by, onto):
    sides = {"partnership__sides": "opposite", "players__min": 4, "players__max": 4}
    floats = {"out__melding_all": "floats", "floating__playable": "must_be_used"}
    swaps = {"melds__wild__swap": "for_natural", "melds__wild__swapped": "to_end"}
    text = said(layoff__onto=onto, calls__of=of, calls__by=by, **sides, **floats, **swaps)
    assert "off on a meld on the table" not in text
    assert "fits a meld on the table" not in text
    assert "in anybody's" not in text
    where = {"own": "one of {}own melds", "own_side": "{}"}[onto]
    reader = "your " if onto == "own" else "one of your own or your partner's melds"
    caller = "the caller's " if onto == "own" else "a meld of the caller's side"
    who = reader if by == "discarder" else caller
    assert f"could be laid off on {where.format(who)}" in text
    assert f"laying it off on {where.format(reader)}" in text


@pytest.mark.parametrize("playable", ["on_table", "with_pile"])
def test_a_last_discard_is_called_for_what_the_rules_say(playable):
    text = said(out__last_discard="claimable", out__playable=playable)
    assert ("A last discard cannot be called to make" in text) == (playable == "on_table")
    assert ("A last discard may also be called to make" in text) == (playable == "with_pile")

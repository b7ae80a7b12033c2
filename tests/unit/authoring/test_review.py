"""What an author is told of a rules file beside what keeps it from being played, and how files are fixed."""

from __future__ import annotations

import codecs
import io

import pytest

from meldref.core.diagnostics import Edit
from meldref.core.editing import apply
from meldref_cli.main import main

HEAD = "id: our-house\nextends: [500-rummy]\n"


@pytest.fixture
def found(meldref, log):
    """Severity, line and key of what is found in a house rule."""

    def of(text, *options):
        data = meldref("rules", "check", log(text, "house.yaml"), "--format", "json", *options).data
        return [
            (one["severity"], one["line"], one["message"]) for one in data["files"][0]["findings"]
        ]

    return of


# What is said in vain


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD + "game: {target: 500}\n", 3, "game.target = 500 is redundant"),
        ("extends: [contract-rummy]\nhands: {}\n", 2, "hands = {} has no effect"),
        ("extends: [contract-rummy]\nhands: {2: {}}\n", 2, "hands.2 = {} has no effect"),
        ("extends: [contract-rummy]\nhouse_rules: {}\n", 2, "house_rules = {} has no effect"),
        (HEAD + "scoring: {values: {}}\n", 3, "scoring.values = {} has no effect"),
        (HEAD + "players: {min: 2, max: 8}\n", 3, "players is redundant"),
        (HEAD + "deal:\n  cards:\n    2: 13\n    3-8: 7\n", 4, "deal.cards is redundant"),
        (
            HEAD + "melds: {kinds: {group: {size: 3-4}}}\n",
            3,
            "melds.kinds.group.size = 3-4 is redundant",
        ),
        (HEAD + "floating: {playable: must_be_used}\n", 3, "since out.melding_all = ends_hand"),
        ("extends: [500-rummy, no-calls]\ncalls: {until: any_time}\n", 2, "(no-calls.yaml:"),
        ("extends: [500-rum, floating, no-calls, floating]\n", 1, "floating is named twice"),
        ("extends: [500-rum, 500-rummy]\n", 1, "500-rum already builds on 500-rummy"),
        (HEAD + "melds: {kinds: {gruop: none}}\n", 3, "did you mean group?"),
        (HEAD + "game: {target: 1.000}\n", 3, "is read as 1"),
        ("id: floating\nextends: [500-rummy]\n", 1, "shipped"),
    ],
)
def test_what_a_file_says_in_vain_is_a_warning_at_its_line(text, line, said, found):
    ((severity, place, message),) = found(text)
    assert (severity, place) == ("warning", line)
    assert said in message


@pytest.mark.parametrize(
    "text",
    [
        "game: {target: 500}\n",
        HEAD + "players: {min: 2, max: 6}\n",
        HEAD + "scoring: {values: {2-9: 5, T-K: 10, A: 15}}\n",
        HEAD
        + "melds: {kinds: {sequence: {size: 4-13, require: [same_suit, consecutive_ranks]}}}\n",
        HEAD + "deal: {cards: 7}\n",
        "extends: [500-rum]\nmelds: {wild: {cards: [joker]}}\ndeck: {jokers: 2}\n",
        "extends: [500-rummy, values-5-10-15, face-values]\nscoring: {values: {2-9: face}}\n",
        "type: option\ngame: {target: 500}\n",
        "type: option\ncalls: {until: any_time}\n",
    ],
)
def test_what_is_written_as_a_whole_or_decides_between_others_is_not_in_vain(text, found):
    assert found(text) == []


@pytest.mark.parametrize(
    "game",
    [
        "500-rummy",
        "500-rum",
        "partnership-500-rum",
        "persian-rummy",
        "gilfoy-500-rummy",
        "contract-rummy",
    ],
)
@pytest.mark.sweep(every=6)
def test_a_ruleset_shown_in_full_is_not_told_that_it_says_too_much(game, meldref, log):
    text = meldref("rules", "show", game).out.replace(f"id: {game}", "id: our-house")
    assert meldref("rules", "check", log(text, "house.yaml")).out == "house.yaml: ok\n"


# All at once


def test_faults_of_shape_do_not_hide_what_makes_no_sense_elsewhere(found):
    text = (
        HEAD
        + "deal: {cards: 30}\ngame: {taget: 1000}\nout: {last_discard: Any}\ncalls: {of: none, by: opponents}\n"
    )
    assert [(severity, line) for severity, line, _ in found(text)] == [
        ("error", 3),
        ("error", 4),
        ("error", 5),
        ("warning", 6),
    ]


def test_what_a_fault_leaves_open_is_not_held_against_the_file(found):
    text = HEAD + "deck: {jokers: O}\nmelds: {wild: {cards: []}}\ndeal: {cards: {2: 60}}\n"
    assert [line for _, line, _ in found(text)] == [3, 5]


# Cases

LEGAL = "{verdict: legal}"


def case_of(hand="5h 6h 7h 9s", move="A: draw; discard 9s", expect=LEGAL, more=""):
    """A rules file with one case, which begins in line 4."""
    given = f"    given: {{hands: {{A: {hand}}}}}\n    moves: ['{move}']\n"
    return f"{HEAD}cases:\n  - name: own\n{given}    expect: {expect}\n{more}"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (case_of(hand="5h 6h 7x 9s"), 5, "7x"),
        (case_of(hand="5h 5h 5h 9s"), 5, "the deck has 1"),
        (case_of(expect="{verdict: legal, points: {Q: 3}}"), 7, "Q"),
        (case_of(move="Z: draw; discard 9s"), 6, "Z is not one of the players"),
        (case_of(move="A: draw; discard 9x"), 6, "9x"),
        (
            case_of(move="Z: draw; discard 9s", expect="{verdict: illegal, because: meld.size}"),
            6,
            "Z is not one of the players",
        ),
        (case_of(more="    rules: no-such-game\n"), 4, "no-such-game"),
        (case_of(more="    set: {game.targt: 5}\n"), 4, "did you mean game.target?"),
    ],
)
def test_a_case_that_cannot_be_run_or_never_comes_out_is_an_error(text, line, said, found):
    ((severity, place, message),) = found(text)
    assert (severity, place) == ("error", line)
    assert message.startswith("case 1: ")
    assert said in message


@pytest.mark.parametrize(
    "text",
    [
        case_of(),
        case_of(move="A: draw; meld 5h 6h 9s", expect="{verdict: illegal, because: meld.shape}"),
        case_of(move="Z: draw; discard 9s", expect="{verdict: illegal, because: log.name}"),
        case_of(move="Z: draw; discard 9s", expect="{verdict: illegal}"),
        case_of(move="A: draw; discard 9x", expect="{verdict: illegal, because: log}"),
        f"{HEAD}deck: {{packs: 3}}\n" + case_of(hand="5h 5h 5h 9s").removeprefix(HEAD),
        case_of(hand="5h 5h 5h 9s", more="    set: {deck.packs: 3}\n"),
        case_of(hand="5h 5h 9s", more="    rules: kalooki-40\n"),
        f"type: option\n{HEAD.splitlines()[0]}\ndeck: {{packs: 3}}\n"
        + case_of(hand="5h 5h 5h 9s").removeprefix(HEAD),
    ],
)
def test_a_case_that_may_come_out_is_left_to_the_run(text, found):
    assert found(text) == []


def test_cases_of_rules_with_errors_are_not_held_against_the_file(found):
    text = f"{HEAD}deck: {{packs: many}}\n" + case_of(hand="5h 5h 9s").removeprefix(HEAD)
    assert [line for _, line, _ in found(text)] == [3]


# Fixing

SLIPS = """\
# How we play at the lake.
id: our-house
extends: 500-rummy        # as printed
Game:
  taget: "1000"           # long evenings
melds:
  kinds:
    sequence: {size: 4 - 13}   # no short ones
calls: {of: no}
"""
MENDED = """\
# How we play at the lake.
id: our-house
extends: [500-rummy]        # as printed
game:
  target: 1000           # long evenings
melds:
  kinds:
    sequence: {size: 4-13}   # no short ones
calls: {of: none}
"""


def test_fix_mends_every_slip_at_its_place_and_keeps_comments(meldref, log, tmp_path):
    ran = meldref("rules", "check", "--fix", log(SLIPS, "house.yaml"))
    assert ran.code == 0
    assert (tmp_path / "house.yaml").read_text() == MENDED
    assert ran.lines[-1] == "house.yaml: ok (6 fixed)"
    assert '-   taget: "1000"           # long evenings' in ran.out
    assert sum(": fixed: " in line for line in ran.lines) == 6


def test_diff_shows_the_same_changes_and_writes_nothing(meldref, log, tmp_path):
    ran = meldref("rules", "check", "--diff", log(SLIPS, "house.yaml"))
    assert ran.code == 1
    assert (tmp_path / "house.yaml").read_text() == SLIPS
    assert "+  target: 1000           # long evenings" in ran.lines
    log(MENDED, "house.yaml")
    assert meldref("rules", "check", "--diff", "house.yaml") == meldref(
        "rules", "check", "--diff", "house.yaml"
    )
    assert (meldref("rules", "check", "--diff", "house.yaml").code, ran.err) == (0, "")


def test_standard_input_is_mended_to_standard_output(meldref):
    ran = meldref("rules", "check", "--fix", "-", stdin=SLIPS)
    assert (ran.code, ran.out) == (0, MENDED)
    assert "standard input:4:1: fixed" in ran.err


def test_what_was_mended_and_what_is_left_are_told_apart_in_json(meldref, log):
    (data,) = meldref(
        "rules", "check", "--fix", "--format", "json", log(SLIPS + "deck: {jokers: 9}\n", "h.yaml")
    ).data["files"]
    assert len(data["mended"]) == 6
    assert [one["line"] for one in data["findings"]] == [10]


def test_what_is_in_doubt_is_left_as_it_is(meldref, log, tmp_path):
    text = HEAD + "game: {goal: 1000}\nplayers: {mix: 3}\ncalls: {of: discards}\n"
    ran = meldref("rules", "check", "--fix", log(text, "house.yaml"))
    assert ran.code == 1
    assert (tmp_path / "house.yaml").read_text() == text


def test_a_mend_that_would_make_another_fault_is_not_made(meldref, log, tmp_path):
    text = HEAD + "game: {target: 1000}\nGame: {stop: agreed}\n"
    meldref("rules", "check", "--fix", log(text, "house.yaml"))
    assert (tmp_path / "house.yaml").read_text() == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (
            "game:\n\ttaget: 750\ncalls: {off: none}\n",
            "game:\n  target: 750\ncalls: {off: none}\n",
        ),
        (
            "name: Grandma: the rules\ncalls: {of: never}\n",
            'name: "Grandma: the rules"\ncalls: {of: never}\n',
        ),
        ("game:\n\tgoal: 750\n", "game:\n  goal: 750\n"),
    ],
    ids=["a tab", "a second colon", "a tab before what is in doubt"],
)
def test_a_slip_that_hid_other_faults_is_mended_though_they_stay(
    meldref, log, tmp_path, text, after
):
    file = log(HEAD + text, "house.yaml")
    assert meldref("rules", "check", file).lines[-1] == "house.yaml: 1 error; fixable with --fix"
    assert meldref("rules", "check", "--fix", file).code == 1
    assert (tmp_path / "house.yaml").read_text() == HEAD + after


def test_a_mend_of_what_cannot_be_read_that_is_itself_a_fault_is_not_made(meldref, log, tmp_path):
    text = HEAD + "house rules\ngame: {target: 600}\n"
    meldref("rules", "check", "--fix", log(text, "house.yaml"))
    assert (tmp_path / "house.yaml").read_text() == text


def test_jokers_are_not_said_to_be_counted_otherwise_where_no_number_of_players_fits(meldref, log):
    file = log(HEAD + "players: {min: 5, max: 3}\ndeck: {jokers: 3}\n", "house.yaml")
    assert meldref("rules", "check", file).lines[-1] == "house.yaml: 1 error"


def test_what_an_option_excludes_may_be_a_file_beside_it(meldref, log):
    log("id: ours\ntype: option\ncalls: {of: none}\n", "ours.yaml")
    text = "id: o\ntype: option\nexcludes: [ours, floating, theirs]\ncalls: {of: none}\n"
    ran = meldref("rules", "check", log(text, "option.yaml"))
    assert [line for line in ran.lines if "to exclude" in line] == [
        "option.yaml:3:28: warning: there is no ruleset or option theirs to exclude [rules.sense]"
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("deal: {cards: {7: 5}}", ["deal.cards.7 = 5 has no effect: this game is for 2-4 players"]),
        (
            "deal: {cards: {2: 10, 3-4: 6, 5-6: 5}}",
            ["deal.cards.5-6 = 5 has no effect: this game is for 2-4 players"],
        ),
        ("deal: {cards: {2: 10, 3-8: 6}}", []),
        ("deal: {cards: {2: 10, 3-8: 6}}\nplayers: {min: 3, max: 4}", []),
        ("deal: {cards: 9}", []),
    ],
)
def test_cards_for_a_table_that_nobody_can_sit_at_are_a_warning(meldref, log, settings, said):
    text = settings if "players" in settings else f"players: {{max: 4}}\n{settings}"
    file = log(HEAD + text + "\n", "house.yaml")
    data = meldref("rules", "check", "--format", "json", file).data
    assert [one["message"] for one in data["files"][0]["findings"]] == said


def test_as_many_faults_are_said_to_be_fixable_as_are_gone_afterwards(meldref, log):
    file = log("id: x\nextends: [500 rummy]\ngame: {winner: most, Taget: '1000'}\n", "house.yaml")
    ran = meldref("rules", "check", file)
    assert ran.lines[-1] == "house.yaml: 3 errors; 2 of them fixable with --fix"
    assert meldref("rules", "check", "--fix", file).lines[-1] == "house.yaml: 1 error (3 fixed)"


def test_a_line_that_is_taken_out_never_takes_a_comment_along(meldref, log, tmp_path):
    text = HEAD + "game:\n  target: 500   # as ever\nout: {bonus: 5}\n"
    meldref("rules", "check", "--fix", log(text, "house.yaml"))
    assert (tmp_path / "house.yaml").read_text() == text


def test_line_ends_and_byte_order_marks_stay_where_something_else_is_mended(meldref, log, tmp_path):
    text = (HEAD + "game: {taget: 1000}\n").replace("\n", "\r\n")
    meldref("rules", "check", "--fix", log(text, "house.yaml"))
    assert (tmp_path / "house.yaml").read_bytes() == text.replace("taget", "target").encode()
    marked = codecs.BOM_UTF8 + b"id: x\nextends: [500-rummy, flaoting]\n"
    ran = meldref("rules", "check", "--diff", log(marked, "house.yaml"))
    assert "+extends: [500-rummy, floating]" in ran.lines


def test_a_shipped_ruleset_is_never_written(meldref):
    assert (
        meldref("rules", "check", "--fix", "500-rum", "floating").out
        == "500-rum: ok\nfloating: ok\n"
    )


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("a\nb\n", Edit(2, 1, 2, 2, "c"), "a\nc\n"),
        ("a\nb\n", Edit(1, 1, 2, 1, ""), "b\n"),
        ("a\r\nb\r\n", Edit(2, 1, 2, 1, "c\n"), "a\r\nc\r\nb\r\n"),
        ("a\nb", Edit(3, 1, 3, 1, "c\n"), "a\nb\nc\n"),
        ("\ufeffa\n", Edit(1, 1, 1, 2, "b"), "\ufeffb\n"),
        ("\ufeffa\n", Edit(1, 0, 1, 1, ""), "a\n"),
    ],
)
def test_edits_are_made_at_their_places(text, edit, after):
    assert apply(text, [edit]) == after


@pytest.mark.parametrize("data", [MENDED.encode(), "id: Café\n".encode("latin-1"), b"id: [\n", b""])
def test_what_is_not_mended_comes_out_of_standard_output_as_it_went_in(
    data, capfdbinary, monkeypatch
):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    main(["rules", "check", "--fix", "-"])
    assert capfdbinary.readouterr().out == data


def test_rules_on_standard_output_are_not_mixed_with_findings(meldref):
    ran = meldref("rules", "check", "--fix", "-", "--format", "json", stdin=SLIPS)
    assert (ran.code, ran.out) == (2, "")


def test_a_folder_is_no_rules_file(meldref, log):
    log(MENDED, "rules/house.yaml")
    ran = meldref("rules", "check", "rules")
    assert ran.code == 2
    assert "this is a folder" in ran.err


def test_what_an_option_needs_is_asked_where_its_file_says_so(found):
    text = (
        "type: option\nneeds:\n  out.melding_all: floats\nexcludes: [no-calls]\nout: {bonus: 5}\n"
    )
    assert [line for _, line, _ in found(text)] == [3]
    assert [line for _, line, _ in found(text, "--with", "floating", "--with", "no-calls")] == [4]

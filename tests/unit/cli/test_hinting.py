"""An audit suggests `rules infer` where logs name no rules, or the same finding comes back again and again."""

from __future__ import annotations

import pytest

from cli_logs import LOG
from meldref.core.diagnostics import Finding, Origin, Repair, Span
from meldref.replay.result import LogReport
from meldref_archive.sources import Log
from meldref_cli.hinting import RulesHint
from meldref_cli.ruleset_args import RulesetRequest
from simulated import log_of

RULE = Origin("draw.deep.must", "be_used", "500-rummy.yaml", 69)


def hint(*codes, hands=5, played=25, repair=None):
    """What is suggested after findings with these codes, spread over hands of so many that were played."""
    found = RulesHint()
    findings = [
        Finding(
            code,
            "it is wrong",
            Span(number + 1),
            game=1,
            hand=number % hands + 1,
            rule=RULE,
            repair=repair,
        )
        for number, code in enumerate(codes)
    ]
    found.add(LogReport("a.rgn", findings=findings, hands=played))
    return found.text([Log.of("a.rgn")], RulesetRequest(), trust_paths=False)


def test_what_comes_back_again_and_again_may_be_allowed_although_the_log_is_gone():
    text = hint(*["draw.deep.unused"] * 23, "meld.shape", "meld.shape")
    assert text.startswith("23 of 25 findings are draw.deep.unused, in 5 hands")
    assert "meldref rules infer a.rgn" in text


@pytest.mark.parametrize(
    "found",
    [
        hint(),
        hint(*["draw.deep.unused"] * 9),
        hint(*["draw.deep.unused"] * 20, hands=2),
        hint(*["draw.deep.unused", "meld.shape"] * 9),
    ],
    ids=["nothing", "few", "in two hands", "different ones"],
)
def test_other_findings_suggest_nothing(found):
    assert found == ""


def test_many_different_findings_in_each_hand_may_be_those_of_another_game():
    text = hint(*["draw.deep.unused", "meld.shape", "turn.order"] * 9)
    assert text.startswith("27 findings in 5 hands: if it was another game, `meldref rules infer a")


def test_what_nothing_explains_in_hand_after_hand_is_told_once_for_all():
    text = hint(*["score.hand"] * 5, played=6)
    assert text.startswith(
        "`score.hand` in 5 of 6 hands, and nothing written wrongly explains it: "
    )
    assert "perhaps other rules are played (`meldref rules infer a.rgn`)" in text


def test_what_is_found_in_few_hands_or_explained_is_no_habit():
    assert hint(*["score.hand"] * 5) == ""
    repair = Repair("scores-swapped", 1, "the scores are swapped")
    assert hint(*["score.hand"] * 5, played=6, repair=repair) == ""


def test_the_rule_is_named_with_which_what_comes_back_disappears(meldref, log):
    text, _ = log_of("500-rummy", ["keep-taken-card"], [], ("random", "random"), hands=4)
    path = log(
        "".join(line for line in text.splitlines(True) if "[Options" not in line), "keep.rgn"
    )
    told = meldref("audit", path).err
    gone, _, rest = told.partition(" findings disappear by the rule ")
    assert rest.startswith('"A card taken from the pile need not be used."')
    assert "`meldref rules infer keep.rgn`" in rest
    number, _, in_all = gone.removeprefix("meldref: ").partition(" of ")
    assert int(number) == int(in_all) >= 10


def test_a_log_without_rules_says_how_to_find_them(meldref, log):
    path = log(LOG.replace('[Rules "500-rummy"]\n', ""), "norules.rgn")
    ran = meldref("audit", path)
    assert "1 log names no rules: `meldref rules infer norules.rgn`" in ran.err
    assert "rules infer" not in meldref("audit", path, "--quiet").err
    assert "rules infer" not in meldref("audit", path, "--format", "json").err
    assert "rules infer" not in meldref("audit", path, "--rules", "500-rummy").err

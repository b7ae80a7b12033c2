"""Which violations there can be under a ruleset: a code whose rule the ruleset does not have is never found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from meldref.melds.explain_failure import STANDARD
from meldref.rules.pages import CODES, PAGES
from meldref.ruleset.model import Ruleset


def _deep_is_bound(rules: Ruleset) -> bool:
    return rules.draw.depth == "any" and rules.draw.deep.must == "be_used"


def _lacks_a_known_kind(rules: Ruleset) -> bool:
    """Whether players know a kind of meld from other games that this one does not have, and cards can form it."""
    lacking = {kind.name for kind in STANDARD} - {kind.name for kind in rules.melds.kinds}
    if not rules.deck.jokers or "joker" in rules.melds.wild.cards:
        lacking.discard("jokers")
    return bool(lacking)


def _wild_cards_are_swapped(rules: Ruleset) -> bool:
    return bool(rules.melds.wild.cards) and rules.melds.wild.swap != "never"


_ONLY_WHERE: Final[dict[str, Callable[[Ruleset], bool]]] = {
    "draw.deep.unused": _deep_is_bound,
    "draw.deep.late": lambda rules: _deep_is_bound(rules) and rules.draw.deep.when == "at_once",
    "draw.deep.lay-off": lambda rules: _deep_is_bound(rules) and "lay_off" not in rules.draw.use,
    "draw.top.unused": lambda rules: rules.draw.top.must == "be_used",
    "draw.top.lay-off": lambda rules: rules.draw.top.must == "be_used" and "lay_off" not in rules.draw.use,
    "meld.kind": _lacks_a_known_kind,
    "meld.first-points": lambda rules: rules.melds.first_points > 0,
    "wild.unbound": lambda rules: bool(rules.melds.wild.cards),
    "wild.binding": lambda rules: bool(rules.melds.wild.cards),
    "wild.naturals": lambda rules: bool(rules.melds.wild.cards) and rules.melds.wild.naturals > 0,
    "layoff.target": lambda rules: rules.layoff.onto != "any" or rules.layoff.before_melding == "forbidden",
    "layoff.unnamed": lambda rules: rules.layoff.target != "never" or _wild_cards_are_swapped(rules),
    "swap.forbidden": lambda rules: rules.melds.wild.swap == "never",
    "swap.fit": lambda rules: rules.melds.wild.swap != "never",
    "swap.kept": lambda rules: _wild_cards_are_swapped(rules) and rules.melds.wild.swapped == "laid_this_turn",
    "discard.taken-top": lambda rules: rules.discard.taken_top == "forbidden",
    "discard.taken-deep": lambda rules: rules.draw.depth == "any" and rules.discard.taken_deep != "any",
    "out.discard-required": lambda rules: rules.out.melding_all == "forbidden",
    "out.playable": lambda rules: rules.out.last_discard == "unplayable",
    "out.stuck": lambda rules: rules.draw.dead_end == "forbidden",
    "float.playable": lambda rules: (
        rules.out.melding_all == "floats"
        and (rules.floating.playable == "must_be_used" or rules.out.last_discard == "unplayable")
    ),
    "float.kept": lambda rules: rules.out.melding_all == "floats",
    "call.off": lambda rules: rules.calls.of == "none",
    "call.late": lambda rules: rules.calls.of != "none",
    "call.own": lambda rules: rules.calls.of != "none",
    "call.scope": lambda rules: (
        rules.calls.of in {"last_discard", "last_discard_or_set"}
        or (rules.calls.of == "pile" and rules.out.last_discard == "claimable")
    ),
    "call.nothing": lambda rules: rules.calls.of != "none",
    "call.hand": lambda rules: rules.calls.of != "none",
}
"""When a code can be found that not every ruleset has."""


def codes_under(ruleset: Ruleset) -> Iterator[str]:
    """The codes that play under a ruleset can lead to, in the order of the pages.

    Left out are those about how a log or a rules file is written, which no ruleset changes.
    """
    for code in CODES:
        if code.startswith("rules.") or (code.startswith("log.") and not PAGES[code].keys):
            continue
        only_where = _ONLY_WHERE.get(code)
        if only_where is None or only_where(ruleset):
            yield code

"""Which keys of a ruleset rest, because another key switches them off."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.ruleset.model import Ruleset


def resting(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Each key that has no effect, with the key that switches it off."""
    out, draw, wild, game = ruleset.out, ruleset.draw, ruleset.melds.wild, ruleset.game
    called_floats = out.last_discard == "claimable" and out.claimed == "floats" and ruleset.calls.of != "none"
    switches: tuple[tuple[bool, str, tuple[str, ...]], ...] = (
        (out.melding_all != "floats", "out.melding_all", ("floating.playable",)),
        (out.melding_all != "floats" and not called_floats, "out.melding_all", ("floating.draws",)),
        (out.last_discard != "claimable", "out.last_discard", ("out.claimed",)),
        (out.last_discard != "unplayable" and out.challenge == "none", "out.last_discard", ("out.playable",)),
        (
            ruleset.calls.of == "none",
            "calls.of",
            tuple(f"calls.{key}" for key in ("by", "until", "takes", "more_melds", "discard", "then", "several")),
        ),
        (draw.top.must == "nothing", "draw.top.must", ("draw.top.when",)),
        (draw.deep.must == "nothing", "draw.deep.must", ("draw.deep.when",)),
        (draw.top.must == draw.deep.must == "nothing", "draw.deep.must", ("draw.use",)),
        (
            draw.depth == "top",
            "draw.depth",
            ("draw.takes", "draw.deep.must", "draw.deep.when", "discard.taken_deep"),
        ),
        (
            not wild.cards,
            "melds.wild.cards",
            (
                *(f"melds.wild.{key}" for key in ("naturals", "suit_in_group", "twins", "swap", "swapped")),
                "scoring.wild",
            ),
        ),
        (wild.swap == "never", "melds.wild.swap", ("melds.wild.swapped",)),
        (
            ruleset.layoff.onto == "nothing",
            "layoff.onto",
            ("layoff.before_melding", "layoff.counts_for", "layoff.target"),
        ),
        (game.ends == "at_target", "game.ends", ("game.hands",)),
        (game.ends == "after_hands", "game.ends", ("game.reached", "game.reached_by")),
        (game.ends == "after_hands" and game.winner == "highest", "game.ends", ("game.target",)),
        (game.tie.by in ("sharing", "melds_then_hand"), "game.tie.by", ("game.tie.who",)),
        (ruleset.partnership.sides == "none", "partnership.sides", ("partnership.score",)),
        (ruleset.settlement.pays == "nothing", "settlement.pays", ("settlement.ratio", "settlement.prize")),
        (ruleset.settlement.pays == "prize", "settlement.pays", ("settlement.ratio",)),
        (ruleset.settlement.pays in ("difference", "chips"), "settlement.pays", ("settlement.prize",)),
        (ruleset.deal.first_dealer == "anybody", "deal.first_dealer", ("deal.cut_ace",)),
        (ruleset.scoring.hands != "to_player_out", "scoring.hands", ("scoring.nobody_out",)),
    )
    for is_off, switch, keys in switches:
        if is_off:
            for key in keys:
                yield key, switch

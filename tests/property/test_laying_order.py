"""What a meld counts does not depend on the order in which its cards came to lie there."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meldref import judge_move, load_position
from meldref.core.cards import cards_text
from tiers import examples

PLACES = ("scoring.low_ace", "scoring.high_ace", "scoring.around_ace")
CORNERS = ("[low, high]", "[low, high, around]", "[around]", "[low]", "[high]")


def run_of(start, size, suit, ace):
    """The cards of a run, if there is one: no ace but where this game has it."""
    ranks = [(start + step) % 13 for step in range(size)]
    inside = 0 in ranks[1:-1]
    ends = (ranks[0] == 0 and "low" in ace) or (ranks[-1] == 0 and "high" in ace)
    if 0 in ranks and "around" not in ace and (inside or not ends):
        return None
    return [suit * 13 + rank for rank in ranks]


def points_of(ace, worth, run, plays):
    """What A gains on the table by these plays."""
    built, findings = load_position(
        {
            "hands": {"A": f"{cards_text(run)} Jk"},
            "set": {"melds.kinds.sequence.ace": ace, **worth},
        }
    )
    assert findings == ()
    judged = judge_move(built, f"draw Jk; {'; '.join(plays)}; discard Jk")
    assert judged.verdict == "legal", (plays, judged.findings)
    return judged.points


@settings(derandomize=True, max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(CORNERS),
    st.fixed_dictionaries({key: st.sampled_from((1, 5, 30, "same")) for key in PLACES}),
    st.integers(0, 12),
    st.integers(4, 13),
    st.integers(0, 10**9),
)
def test_a_run_counts_the_same_laid_at_once_and_card_by_card(ace, worth, start, size, seed):
    """A whole suit that does not go round the corner apart: its ace lies at the end where it was laid."""
    run = run_of(start, size, seed % 4, ace)
    if run is None or (size == 13 and ("around" not in ace or run[0] % 13 > 1)):
        return
    rng = random.Random(seed)
    low = rng.randrange(size - 2)
    high = low + 3
    plays = [f"meld {cards_text(run[low:high])}"]
    while high - low < size:
        if low and (high == size or rng.random() < 0.5):
            low -= 1
            plays.append(f"lay {cards_text([run[low]])} m1")
        else:
            plays.append(f"lay {cards_text([run[high]])} m1")
            high += 1
    at_once = points_of(ace, worth, run, [f"meld {cards_text(run)}"])
    assert points_of(ace, worth, run, plays) == at_once


@settings(derandomize=True, max_examples=examples(40), suppress_health_check=list(HealthCheck))
@given(st.integers(10, 12), st.integers(4, 6), st.sampled_from((1, 5, "same")), st.integers(0, 3))
def test_a_first_laying_may_be_laid_card_by_card(start, size, low_ace, suit):
    """Where the turn's points open, each beginning that can still come to them is legal."""
    ace = "[low, high, around]"
    worth = {"scoring.low_ace": low_ace}
    run = run_of(start, size, suit, ace)
    low_part = [card for card in run if card % 13 < 5]
    if len(low_part) < 3:
        return
    plays = [f"meld {cards_text(low_part)}"]
    plays += [f"lay {cards_text([card])} m1" for card in reversed(run[: -len(low_part)])]
    least = points_of(ace, worth, run, plays)["A"]
    other = cards_text([(suit + 1) % 4 * 13 + 6])
    opening = {"melds.first_points": least, "melds.first_points_of": "turn"}
    built, findings = load_position(
        {
            "hands": {"A": f"{cards_text(run)} {other}"},
            "stock": f"{other} ?*9",
            "set": {"melds.kinds.sequence.ace": ace, **worth, **opening},
            "players": ["A", "B", "C", "D", "E"],
        }
    )
    assert findings == ()
    for laid in range(1, len(plays) + 1):
        judged = judge_move(built, f"draw {other}; {'; '.join(plays[:laid])}")
        assert judged.verdict == "legal", (plays[:laid], judged.findings)
    short = judge_move(built, f"draw {other}; {'; '.join(plays[:-1])}; discard {other}")
    assert short.verdict == "illegal"

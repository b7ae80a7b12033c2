"""What a slip may explain at all: asked before a hand is refereed again."""

from meldref.notation.reader import read_lines
from meldref.replay.explainer import ExplainedHand, WrittenHand
from meldref.replay.log import replay
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.repair.course import found_at
from meldref_evidence.repair.prospects import Prospects

HAND = """hand {number} dealer {dealer}
deal Ann 2c 4c 6c 8c Tc Qc 2d 4d 6d 8d Td Qd 2h
deal Bob 3c 5c 7c 9c Jc Kc 3d 5d 7d 9d Jd Kd 3h
up 4s
{turns}
"""
FIRST = "Ann: take 4s; discard 4s"


class Asked:
    """An explainer that keeps each hand in which something was found, and whether it is asked about."""

    def __init__(self) -> None:
        self.hands: list[WrittenHand] = []
        self.are_there: list[bool] = []
        self._explainer = RecordExplainer()

    def explain(self, hand: WrittenHand) -> ExplainedHand | None:
        self.hands.append(hand)
        self.are_there.append(Prospects(hand).are_there)
        return self._explainer.explain(hand)

    def __getattr__(self, name: str) -> object:
        return getattr(self._explainer, name)


def asked(*hands: str) -> list[WrittenHand]:
    rows = [
        HAND.format(number=number, dealer=("Bob", "Ann")[number % 2 == 0], turns=turns)
        for number, turns in enumerate(hands, start=1)
    ]
    return asked_of(*rows).hands


def asked_of(*rows: str, option: str | None = None) -> Asked:
    """What is asked about in hands of 500 Rummy, perhaps with an option."""
    explainer = Asked()
    options = [] if option is None else [f'[Options "{option}"]']
    headers = ['[Rules "500-rummy"]', *options, '[Players "Ann, Bob"]', ""]
    replay(read_lines("\n".join([*headers, *rows])), explainer=explainer)
    return explainer


def test_conduct_against_which_nothing_speaks_is_not_asked_about():
    [hand] = asked(FIRST)
    assert "discard.taken-top" in {finding.code for finding in hand.mistakes}
    assert not Prospects(hand).are_there


def test_conduct_that_a_contradiction_speaks_against_is_asked_about():
    [hand] = asked(FIRST + "\nBob: draw ?; discard Kd\nAnn: draw ?; meld Kd Ks Kh")
    assert len(hand.mistakes) > 1
    assert Prospects(hand).are_there


def test_what_nothing_explained_in_a_hand_is_usual_in_the_next_one_of_the_game():
    first, second = asked(FIRST, "Bob: take 4s; discard 4s")
    assert not first.unexplained
    assert second.unexplained["discard.taken-top"] == 1


FLUSHES = (
    "Ann: draw ?; meld 2c 4c 8c; discard 4d",
    "Bob: draw ?; meld 3c 5c 9c; discard 5d",
    "Ann: draw ?; meld 2d 8d Qd; discard 2h",
)


def test_melds_that_are_none_on_many_lines_of_several_players_are_how_they_play():
    [hand] = asked("\n".join(FLUSHES))
    assert [finding.code for finding in hand.mistakes] == ["meld.shape"] * 3
    prospects = Prospects(hand)
    assert prospects.are_doubtful
    assert not prospects.are_there


def test_a_meld_that_is_none_on_a_line_or_two_may_be_a_slip():
    [hand] = asked("\n".join(FLUSHES[:2]))
    prospects = Prospects(hand)
    assert not prospects.are_doubtful
    assert prospects.are_there


def test_what_contradicts_itself_in_hand_after_hand_makes_a_game_doubtful():
    wrong = "\n".join(FLUSHES[:2])
    *_, third = asked(wrong, "\n".join(reversed(FLUSHES[:2])), wrong)
    assert third.unexplained["meld.shape"] == 2
    assert Prospects(third).are_doubtful


def takes(*cards: str) -> str:
    """Turns in which cards that nobody has thrown are taken from the pile."""
    turns = zip(cards, ("Ann", "Bob", "Ann"), ("2c", "3d", "4d"), strict=False)
    return "\n".join(f"{name}: take {card}; discard {thrown}" for card, name, thrown in turns)


def test_cards_missing_in_the_pile_on_three_lines_are_no_slip():
    [hand] = asked(takes("Ah", "9c", "Ks"))
    prospects = Prospects(hand)
    wrong = [found_at(0, one) for one in hand.mistakes if one.code == "draw.pile"]
    assert len(wrong) == 3
    assert all(map(prospects.is_usual, wrong))


def test_cards_missing_in_the_pile_on_two_lines_may_be_slips():
    [hand] = asked(takes("Ah", "9s"))
    prospects = Prospects(hand)
    wrong = [found_at(0, one) for one in hand.mistakes if one.code == "draw.pile"]
    assert len(wrong) == 2
    assert not any(map(prospects.is_usual, wrong))


def are_scores_asked_about(ann: int, bob: int) -> bool:
    """Whether two wrong scores may be explained of a hand in which nobody lays anything."""
    turns = "Ann: draw 4h; discard 4h\nBob: draw 5h; discard 5h\nend agreed\n"
    turns += f"score Ann {ann}, Bob {bob}"
    hand = HAND.format(number=1, dealer="Bob", turns=turns)
    asked = asked_of(hand, option="end-by-agreement")
    assert [finding.code for finding in asked.hands[0].mistakes] == ["score.hand"] * 2
    return asked.are_there == [True]


def test_two_scores_may_be_wrong_by_cards_that_one_holds_and_the_other_may_have_laid():
    assert are_scores_asked_about(ann=-80, bob=-89)


def test_two_scores_wrong_by_what_no_cards_held_are_worth_are_not_asked_about():
    assert not are_scores_asked_about(ann=-81, bob=-90)


def test_a_joker_where_the_deck_has_none_is_of_another_deck():
    dealt = HAND.replace("Qd 2h", "Qd Jk").format(number=1, dealer="Bob", turns=FIRST)
    [hand] = asked_of(dealt, option="no-jokers").hands
    [joker] = [found_at(0, one) for one in hand.mistakes if one.code == "setup.deck"]
    prospects = Prospects(hand)
    assert prospects.are_doubtful
    assert prospects.is_usual(joker)

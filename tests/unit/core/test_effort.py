"""How much a search may take: counted, so that it ends alike on every machine."""

from meldref.core.effort import EFFORT, STATE, Suggestions


def lines_again(suggestions: Suggestions, audited: int) -> int:
    """How many lines may be refereed again to explain a hand after so many."""
    with suggestions.explaining(audited):
        return (EFFORT.limit - EFFORT.spent) // STATE


def test_a_log_is_refereed_again_nine_times_with_its_beginning():
    assert lines_again(Suggestions(), 100) == 9 * (100 + 300)


def test_after_a_hand_that_nothing_explained_only_a_share_of_what_came_since_is_spent():
    suggestions = Suggestions()
    suggestions.explained(1000, is_slip=False)
    assert lines_again(suggestions, 1040) == 400
    assert lines_again(suggestions, 2000) == 500


def test_after_a_slip_a_log_is_one_of_slips_again():
    suggestions = Suggestions()
    suggestions.explained(1000, is_slip=False)
    suggestions.explained(1040, is_slip=True)
    assert lines_again(suggestions, 1040) == 9 * (1040 + 300)

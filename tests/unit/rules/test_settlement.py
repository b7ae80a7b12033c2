"""What is paid at the end of a game, by its final totals."""

import pytest

from meldref.rules.settlement import payments
from simulated import ruleset


@pytest.mark.parametrize(
    ("settings", "totals", "winners", "paid"),
    [
        ("settlement.pays=nothing", [500, 300], [0], None),
        ("settlement.pays=difference", [500, 300], [], None),
        ("settlement.pays=difference", [500, 300, 510], [2], [-10, -210, 220]),
        ("settlement.pays=chips settlement.ratio=2", [500, 300, 510], [2], [-20, -420, 440]),
        ("settlement.pays=difference settlement.ratio=2", [500, 300], [0], [200, -200]),
        ("settlement.pays=difference game.bonus=100", [500, 300], [0], [300, -300]),
        ("settlement.pays=difference", [500, 500], [0, 1], None),
        ("settlement.pays=prize settlement.prize=25", [500, 300, 500], [0, 2], [12, 0, 12]),
    ],
)
def test_payments(settings, totals, winners, paid):
    assert payments(ruleset(settings=settings.split()), totals, winners, 3) == paid

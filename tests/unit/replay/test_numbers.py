"""A finding about a number that is wrong stands at that number."""

from __future__ import annotations

import pytest

from audits import audit

LOG = """\
[Rules "500-rummy"]
[Players "P9, P7"]
hand 1 dealer P9
deal P9 ?*13
deal P7 4c 4d 4h 9s 9d 9h 2c Kd 7s 7d Jc Qc 6s
up 5h
1. P7: draw 3c; meld 4c 4d 4h m1; discard 2c
2. P9: take 2c; discard ?
end agreed
"""


@pytest.mark.parametrize(
    ("right", "wrong", "number"),
    [
        ("1. P7", "7. P7", "7"),
        ("2. P9", "9. P9", "9"),
        ("4h m1", "4h m3", "m3"),
        ("end agreed\n", "end agreed\nhand 7 dealer P7\n", "7"),
    ],
)
def test_a_wrong_number_is_found_where_it_is_written(right, wrong, number):
    assert right in LOG
    (found,) = [
        one for one in audit(LOG.replace(right, wrong)).findings if one.code == "log.number"
    ]
    assert found.excerpt[found.span.column - 1 : found.span.end_column - 1] == number
    assert found.excerpt.index(number) == found.span.column - 1

"""Logs whose lines are in no order that a table knows: what is wrong is told, whatever it is."""

import pytest

from audits import audit


@pytest.mark.parametrize(
    ("log", "first"),
    [
        pytest.param(
            """\
[Rules "500-rummy"]
[Players "A, B, C"]
hand 1 dealer C
3. C: draw 9c; discard Jh
2. B: draw As; meld Qh Qd Qs; discard 9d
1. A: draw 3s; meld 5c 5d 5h; meld 7s 8s 9s; discard 3s
4. A: draw 6s; lay 6s m2; discard Kd
""",
            (4, "turn.order"),
            id="the numbers of turns count down",
        ),
        pytest.param(
            """\
[Rules "500-rummy"]
[Players "A, B, C"]
hand 1 dealer C
999999999. C: draw 9c; discard Jh
2. B: draw As; meld Qh Qd Qs; discard 9d
999999999. A: draw 3s; meld 5c 5d 5h; meld 7s 8s 9s; discard 3s
4. A: draw 6s; lay 6s m2; discard Kd
""",
            (4, "turn.order"),
            id="the numbers of turns are as high as can be",
        ),
        pytest.param(
            """\
[Rules "kalooki-40"]
[Players "A, B, C"]
score A 0, B 151, C 40
hand 2
end out A
hand 1 dealer Eve
1. Ann: draw; meld 5h 6h 7h; discard Ks
""",
            (6, "log.number"),
            id="all who may still play may be out, and no line names one of them",
        ),
    ],
)
def test_what_is_wrong_is_told(log, first):
    finding = min(audit(log).findings, key=lambda finding: finding.span.line)
    assert (finding.span.line, finding.code) == first

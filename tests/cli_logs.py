"""Short logs for the tests of the command line."""

from __future__ import annotations

LOG = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]

hand 1 dealer Bob
deal Ann 4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s
deal Bob ?*13
up 4c

1. Ann: draw 8s; discard Ks
2. Bob: draw ?; discard Qs
3. Ann: draw 9s; discard 9h
"""
"""A log without a fault, whose lines 9 to 11 are turns."""

BAD = LOG + "4. Bob: draw ?; discard 4s\n5. Ann: take 4s; discard 4s\n"
"""The log with one violation, in line 13."""

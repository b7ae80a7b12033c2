"""One action: which rules bear on it and what they find, and what it does to a position.

`judge` asks the rules, with the settings of the hand (`for_hand`); `remembering` keeps what house
rules ask; `apply`, `apply_melds`: carry an action out, and judge nothing; `unnamed`: what a wild
rank that nobody named leaves open.
"""

"""Positions as people write them: built, loaded from a file, and rewound to where a turn began.

`load` also reads the ruleset that a position names.
"""

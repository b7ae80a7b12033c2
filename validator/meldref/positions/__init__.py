"""Positions as people write them: built, loaded from a file, and rewound to where a turn began.

Positions as people write them: `build`, `load` (with the ruleset they name), `rewind` to where a
turn began.
"""

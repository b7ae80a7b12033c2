"""Reports: what was found, as text, as JSON and in the formats of other programs, a module each.

Logs and cases as text, JSON, JSON Lines, GitHub annotations, SARIF, JUnit, over `examined`;
moves, melds, positions, replays and sums; `elements` escapes.
"""

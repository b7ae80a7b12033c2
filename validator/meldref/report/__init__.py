"""Reports: what was found, as text, as JSON and in the formats of other programs, a module each.

Logs and cases as text, JSON, JSON Lines, GitHub annotations, SARIF, JUnit, over `examined`;
moves, melds, best hands, replays; what `authoring` finds, as text and JSON. `viewer` writes logs
as a page: `film` records states as changes while a log is refereed, `page` fills `parts.html`,
score sheets included, whose CSS and JS are data beside it; `picture` draws positions, `showing`
is what prints and notebooks show, `elements` escapes.
"""

"""What is shown of games.

`viewer` writes logs as a page: `film` records states as changes while a log is refereed, `page`
fills `parts.html`, score sheets included, whose CSS and JS are data beside it; `picture` draws
positions, and `showing` is what prints and notebooks show.
"""

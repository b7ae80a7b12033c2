"""What everything is built on: cards, findings, what a log can say, records, cache, words.

`cards`: ranks, suits, jokers, hands as counted sets; `diagnostics`: `Finding`, `Span`,
`Severity`, the one shape of every message; `events`: what a log can say, line by line, as frozen
records; `records`: frozen, slotted classes that cost next to nothing to make at start-up, and
`NamedTuple`, as in `typing`, without compiling the types of its fields; `text`: words that
messages share, how data of others is shown on one line, and what every text goes through where it
leaves the program; `safe_files`: opens the files of others (regular files, up to a limit, no link
out of a folder); `safe_writing`: makes files where others may have put links or pipes;
`json_schema`: a quick look at whether a value fits a schema, for rules files and JSON Lines;
`meant`: what an unknown word was meant to be, by the one measure; `effort` counts what searches and
conditions look at, so that a question ends alike on any machine; `cache`, `resources`, `version`;
`annex` is the door to what stands on the referee and may be missing.
"""

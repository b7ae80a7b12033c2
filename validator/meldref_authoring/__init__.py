"""What helps authors of rulesets.

`rulefiles` shows a file with all that it rests on, traces a value to its line, and fixes what is
wrong. Checking: the `lint` of a file with its `redundant_settings`, and of house
rules (`house_lint`), under which it plays hands, beside what the game has `ruled_out`; `autofix`;
a new file (`wizard`) from ten questions; `coverage` of cases, which tries `mutations` of each
setting and asks which codes are possible. Comparing: two rulesets by playing (`compare`), the
`difference` in `meaning`, logs `judged` by both, a game that both judge
`otherwise`, an `example` of one: small records, walks and hands (`search`), made smaller by one
procedure (`shrink`, over `parts`). Telling: `explaining` a key, with the clauses it comes from;
`rulebook` puts rules into words: `sentences.yaml` has the sentences with the keys they are about
and their conditions, the kinds of meld among them, `phrases` works out the rest,
`examples/plays.yaml` the plays that are put to the judge, under which rules each is shown, and how
their cards are found, `pages` writes Markdown and HTML. For authors of programs, `conformance` puts
the cases to them.
"""

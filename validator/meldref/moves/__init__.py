"""What may be done in a position: legal actions, ways to meet an obligation, and calls.

`exhaustive` makes everything that could be done and asks the judge about each of it, and
`legal_actions` lists what leaves the turn an end: `can_finish` says whether there is one, `openings`
whether a first laying can be completed, `bounds` what need not be asked. Then come `obligations`
and `calls` (and purchases); `suggestions` says what would have been legal instead, the nearest of
the `candidates` first. Games that are played out by the thousand
have a quicker list, `meldref_table.simulate.quick_moves`.
"""

"""What may be done in a position: legal actions, ways to meet an obligation, calls, whole turns.

`legal_actions` is the one list, kept up from decision to decision in simulated games or made at
once of a position, over `hands`, `laying`, `discards`, `draws`, `calling` and `bounds`;
`can_finish` says whether a turn can be ended, `openings` whether a first laying can be completed;
`obligations`, `calls` (and purchases); `whole_turns`, best first. `exhaustive` asks the judge
about everything, for unknown cards and as the tests' oracle; `suggestions` says what would have
been legal instead, the nearest of the `candidates` first.
"""

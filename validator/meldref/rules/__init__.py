"""The rules of play, one module a family.

`declare` says what a rule is: its codes, actions, stage, when it may be skipped; every rule and
code is declared where it is written, and `registry` puts the rules in order, house rules' bans
among them. `resolve` says what a play leaves out (target, roles, order) before any rule looks at
it, `bound` binds a house rule's condition, `forbidding` asks the bans that may hold, `supposing`
asks them of plays that nobody made (what fits, what would have been possible), `unseen` what
melds may have become in turns nobody wrote down; `points` says what melds and hands are worth,
`breakdown` the sum behind a score; `pages`, in Markdown, are what `explain` prints.
"""

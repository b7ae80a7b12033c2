"""The language of house rules: read, checked against the facts, and bound to a position.

`tree` reads it, as `grammar/house-rule.lark` has it, and `parse` says what cannot be read; `types`
and `check` say what is wrong with it and where, `meant` offers what to write instead, of which
`check` takes what makes sense, `facts` is the one table of what can be asked, `view` looks it up,
`bind` makes a check of it.
"""

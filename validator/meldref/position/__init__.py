"""Where a game stands: the position, its turn, its calls, its end.

Its modules: `model` (with the turn under way), `turn` (the places of actions, draws and duties),
`setup`, `game`; `moved` says where cards went, where somebody asks for it, and `unwritten` what may
have happened that no line says; `memory` is what house rules may ask of a hand, changed in place
and copied with its position.
"""

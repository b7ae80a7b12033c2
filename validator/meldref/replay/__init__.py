"""Logs played again: a log, its games, hands and turns, and what comes of them.

`log` folds lines into games (and can `fork` where a hand begins), `game` into hands, which
`hand_number` numbers, `playing` is what their lines are played on, `hand` deals, `turn` referees;
where something is found, `repair` asks which mistake in writing explains it and what comes after:
`table` declares the mistakes (kinds of `edits`, with what they cost and explain, made by
`line_edits`, `action_edits`, `card_edits`, `play_edits` and `figures`), `search` looks for the one
after which least is found, each tried on a `course` of the hand, and `between` knows what is wrong
before a hand; `aftermath` says how a wrong action is carried out; `whole_record` decides, once a
hand is over, what is open in it because nobody saw some cards; `scores` keeps the game as it should
be and as the table kept it, `assertions` checks what a log says of a position; `reporter` says
where something was found, `result` is what an audit says, `play_moves` tries moves on a position.
"""

"""Logs played again: a log, its games, hands and turns, and what comes of them.

`log` folds lines into games (and can `fork` where a hand begins), `game` into hands, which
`hand_number` numbers and `dealers` deal, `playing` is what their lines are played on, `hand` deals,
`turn` referees, and `aftermath` says how a wrong action is carried out.
`game_score` is the game as it should be and as the table kept it, `scores` judges figures by it,
`assertions` checks what a log says of a position; `reporter` says where something was found,
`result` is what an audit says, `play_moves` tries moves on a position.

Once a hand is over, `game` asks the `explainer` that it was given, if any. `explaining` is the one
that goes by the whole record, `audit` audits with it. It has `repair` say which mistake in writing
explains what was found and what comes after: `table` declares the mistakes (kinds of `edits`, with
what they cost and explain, made by `line_edits`, `action_edits`, `card_edits`, `play_edits` and
`figures`), `search` looks for the one after which least is found, each tried on a `course` of the
hand, and `between` knows what is wrong before a hand. `whole_record` decides what is open in a hand
because nobody saw some cards.
"""

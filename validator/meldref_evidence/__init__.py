"""What really happened, and what nobody saw.

`repair` asks which mistake in writing explains what was found in a hand, and `log_fixes` writes it
into the log; `weighing` says what the whole record of a hand shows of cards that nobody saw, and
`whole_record` decides by it what was left open; `chances` counts the deals in which a move is
legal, `witness` gives full logs that a log with unknown cards may have been, and `inferring` finds
the rules that logs were played by.
"""

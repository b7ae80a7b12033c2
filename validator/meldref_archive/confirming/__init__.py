"""Confirms clean games of the commonest kind at a glance, without a replay.

A second judge, which shares no rule with the referee. It knows 500 Rummy of one pack as programs
write it, every card named, and the settings of `settings.UNDERSTOOD`. A game in which all is as it
should be it confirms, scores and totals included. Of any other it says nothing, and the referee
looks at it: a violation, another spelling, a comment, a card that nobody saw, a setting that it does
not understand. What it accepts is less than what is legal, wherever that is simpler.

Cards are bits, so that a hand is one number; each of two jokers has a bit of its own.
"""

"""Weighing: what the whole record of a hand says of cards that nobody saw.

`replay` asks when the hand is over: `deals` tries whether cards can be dealt to hands of known
sizes with sums on record, `hand` says which figures that concerns and looks for the smallest set
of lines that cannot all be true, by what `sightings` says each line shows, `hindsight` judges
turns again that were left open, by what later lines show of hands, and `face_down` those that end
with a card nobody saw, by which it may have been, `several` weighs totals over hands without scores
and who won by them, `telling` words all of it; `completing` goes through a hand with a token for
each card, and draws by lot what no line shows; `course` is what of `replay` it goes through hands
by.
"""

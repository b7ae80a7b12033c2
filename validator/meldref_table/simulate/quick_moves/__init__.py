"""The list of moves for games that are played out, kept up from decision to decision.

It answers what `meldref.moves` answers by asking every rule about everything, with less work:
`bounds` leave out what cannot be, `hands` keep the melds of a hand as its cards change, `laying`,
`discards`, `draws` and `calling` list what is offered, `ends` sees ends of turns that are plain and
searches for others, `kept_rules` names the rules that need not be asked. What house rules may
forbid by then is asked of `best.coming_bans`. No rule is written here a second time, and the tests
hold `choices` against the plain list.
"""
